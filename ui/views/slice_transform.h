// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"

#include <QPointF>
#include <QRectF>
#include <QSize>

namespace seedwave::ui {

/// The only conversion from logical to device pixels. Sizes are rounded up, so that a view is
/// covered.
[[nodiscard]] QSize device_size(const QSize& logical, double device_pixel_ratio);

/// The position of the slice on the screen, in device pixels. Slice coordinates are voxel centres:
/// the left edge of the first column is u = -0.5.
struct SliceTransform {
  double left = 0.0;       // left edge of the first column
  double top = 0.0;        // top edge of the first row
  double u_pixels = 1.0;   // device pixels per column
  double v_pixels = 1.0;   // device pixels per row
  double mm_pixels = 1.0;  // device pixels per millimetre (unit of the grid)

  SliceTransform() = default;
  /// Zoom 1 shows the whole slice in its true proportions.
  SliceTransform(const PlaneAxes& axes, const SliceCamera& camera, const QSize& device);

  [[nodiscard]] QPointF to_device(double u, double v) const noexcept {
    return {left + (u + 0.5) * u_pixels, top + (v + 0.5) * v_pixels};
  }
  [[nodiscard]] QPointF to_slice(const QPointF& device) const noexcept {
    return {(device.x() - left) / u_pixels - 0.5, (device.y() - top) / v_pixels - 0.5};
  }
  /// Returns the transform of a coarser grid in the same position.
  [[nodiscard]] SliceTransform on(const PlaneAxes& axes, const PlaneAxes& coarser) const;
  friend bool operator==(const SliceTransform&, const SliceTransform&) = default;
};

inline constexpr double kLeastZoom = 0.1;
inline constexpr double kMostZoom = 512.0;

/// Returns the camera after zooming by `factor` with the point at `fixed` (device pixels)
/// unchanged.
[[nodiscard]] SliceCamera zoomed_about(const PlaneAxes& axes, const SliceCamera& camera,
                                       const QSize& device, double factor, const QPointF& fixed);
/// Returns the camera after dragging the image by `pixels` (device pixels).
[[nodiscard]] SliceCamera panned(const PlaneAxes& axes, const SliceCamera& camera,
                                 const QSize& device, const QPointF& pixels);

/// Returns the camera after the size of the view has changed. Scale and position from the top left
/// corner are kept.
[[nodiscard]] SliceCamera kept_in_place(const PlaneAxes& axes, const SliceCamera& camera,
                                        const QSize& before, const QSize& now);

}  // namespace seedwave::ui
