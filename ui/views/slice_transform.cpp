// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_transform.h"

#include <algorithm>
#include <cmath>

namespace seedwave::ui {

QSize device_size(const QSize& logical, double device_pixel_ratio) {
  return {static_cast<int>(std::ceil(logical.width() * device_pixel_ratio - 1e-6)),
          static_cast<int>(std::ceil(logical.height() * device_pixel_ratio - 1e-6))};
}

SliceTransform::SliceTransform(const PlaneAxes& axes, const SliceCamera& camera,
                               const QSize& device) {
  const double width_mm = static_cast<double>(axes.width()) * axes.right_spacing();
  const double height_mm = static_cast<double>(axes.height()) * axes.down_spacing();
  if (width_mm <= 0 || height_mm <= 0) return;
  const double fit = std::min(device.width() / width_mm, device.height() / height_mm);
  mm_pixels = std::max(fit, 1e-9) * camera.zoom;
  u_pixels = mm_pixels * axes.right_spacing();
  v_pixels = mm_pixels * axes.down_spacing();
  left = device.width() / 2.0 - (width_mm / 2 + camera.right_mm) * mm_pixels;
  top = device.height() / 2.0 - (height_mm / 2 + camera.down_mm) * mm_pixels;
}

SliceCamera zoomed_about(const PlaneAxes& axes, const SliceCamera& camera, const QSize& device,
                         double factor, const QPointF& fixed) {
  const double before = SliceTransform(axes, camera, device).mm_pixels;
  SliceCamera after = camera;
  after.zoom = std::clamp(camera.zoom * factor, kLeastZoom, kMostZoom);
  const double now = before * after.zoom / camera.zoom;
  const double dx = fixed.x() - device.width() / 2.0;
  const double dy = fixed.y() - device.height() / 2.0;
  after.right_mm += dx / before - dx / now;
  after.down_mm += dy / before - dy / now;
  return after;
}

SliceCamera panned(const PlaneAxes& axes, const SliceCamera& camera, const QSize& device,
                   const QPointF& pixels) {
  const double scale = SliceTransform(axes, camera, device).mm_pixels;
  SliceCamera after = camera;
  // At least a part of the image stays in view after any drag.
  const double most_right = static_cast<double>(axes.width()) * axes.right_spacing() / 2;
  const double most_down = static_cast<double>(axes.height()) * axes.down_spacing() / 2;
  after.right_mm = std::clamp(camera.right_mm - pixels.x() / scale, -most_right, most_right);
  after.down_mm = std::clamp(camera.down_mm - pixels.y() / scale, -most_down, most_down);
  return after;
}

SliceCamera kept_in_place(const PlaneAxes& axes, const SliceCamera& camera, const QSize& before,
                          const QSize& now) {
  const double scale = SliceTransform(axes, camera, before).mm_pixels;
  SliceCamera after = camera;
  after.zoom = camera.zoom * scale / SliceTransform(axes, camera, now).mm_pixels;
  after.right_mm += (now.width() - before.width()) / 2.0 / scale;
  after.down_mm += (now.height() - before.height()) / 2.0 / scale;
  return after;
}

SliceTransform SliceTransform::on(const PlaneAxes& axes, const PlaneAxes& coarser) const {
  const double u_factor = coarser.right_spacing() / axes.right_spacing();
  const double v_factor = coarser.down_spacing() / axes.down_spacing();
  // The centre of the first pixel; its edges are half its own width away.
  const Vec3 centre = axes.slice_coordinates(coarser.world_at(0, 0, 0));
  SliceTransform transform = *this;
  transform.left = left + (centre[0] + 0.5 - u_factor / 2) * u_pixels;
  transform.top = top + (centre[1] + 0.5 - v_factor / 2) * v_pixels;
  transform.u_pixels = u_pixels * u_factor;
  transform.v_pixels = v_pixels * v_factor;
  return transform;
}

}  // namespace seedwave::ui
