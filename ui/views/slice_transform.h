// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/plane_axes.h"
#include "ui/views/slice_state.h"

#include <QPointF>
#include <QRectF>
#include <QSize>

namespace seedwave::ui {

/// The one function from logical to device pixels: sizes rounded up, so that a view is covered.
[[nodiscard]] QSize device_size(const QSize& logical, double device_pixel_ratio);

/// Where the slice lies in the picture, in device pixels. Slice coordinates are voxel centres: the
/// left edge of the first column is u = -0.5.
struct SliceTransform {
  double left = 0.0;       // of the first column's left edge
  double top = 0.0;        // of the first row's top edge
  double u_pixels = 1.0;   // device pixels a column
  double v_pixels = 1.0;   // device pixels a row
  double mm_pixels = 1.0;  // device pixels a millimetre (a unit of the grid)

  SliceTransform() = default;
  /// zoom 1 shows the whole slice, in its true proportions.
  SliceTransform(const PlaneAxes& axes, const SliceCamera& camera, const QSize& device);

  [[nodiscard]] QPointF to_device(double u, double v) const noexcept {
    return {left + (u + 0.5) * u_pixels, top + (v + 0.5) * v_pixels};
  }
  [[nodiscard]] QPointF to_slice(const QPointF& device) const noexcept {
    return {(device.x() - left) / u_pixels - 0.5, (device.y() - top) / v_pixels - 0.5};
  }
  /// The transform for another grid in the same place: where its coarser pixels lie.
  [[nodiscard]] SliceTransform on(const PlaneAxes& axes, const PlaneAxes& coarser) const;
  friend bool operator==(const SliceTransform&, const SliceTransform&) = default;
};

inline constexpr double kLeastZoom = 0.1;
inline constexpr double kMostZoom = 64.0;

/// The camera after zooming by `factor` so that what is at `fixed` (device pixels) stays there.
[[nodiscard]] SliceCamera zoomed_about(const PlaneAxes& axes, const SliceCamera& camera,
                                       const QSize& device, double factor, const QPointF& fixed);
/// The camera after dragging the image by `pixels` (device pixels).
[[nodiscard]] SliceCamera panned(const PlaneAxes& axes, const SliceCamera& camera,
                                 const QSize& device, const QPointF& pixels);

/// The camera after the view's size has changed so that what was shown keeps its scale, and its
/// place from the top left corner.
[[nodiscard]] SliceCamera kept_in_place(const PlaneAxes& axes, const SliceCamera& camera,
                                        const QSize& before, const QSize& now);

}  // namespace seedwave::ui
