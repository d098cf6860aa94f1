// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/brush.h"

#include "core/image/label_map.h"
#include "core/image/length_scale.h"

#include <algorithm>
#include <cmath>

namespace seedwave::ui {
namespace {

constexpr double kResizeStep = 1.2;
/// Distance to the last kept point, as a share of the radius, below which a point is dropped.
constexpr double kLeastMove = 0.25;

double distance(const Vec3& a, const Vec3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

BrushSizes brush_sizes(const Geometry& geometry) {
  if (geometry.unit == LengthUnit::Micrometre) {
    return {.smallest_mm = 0.5,
            .largest_mm = 5000.0,
            .usual_mm = 20.0,
            .offered_mm = {10.0, 20.0, 50.0, 100.0}};
  }
  if (!micrometres_per_pixel(geometry)) return {};
  return {.smallest_mm = 0.0005,
          .largest_mm = 5.0,
          .usual_mm = 0.02,
          .offered_mm = {0.01, 0.02, 0.05, 0.1}};
}

Brush Brush::resized(int steps) const {
  Brush brush = *this;
  brush.radius_mm =
      std::clamp(radius_mm * std::pow(kResizeStep, steps), sizes.smallest_mm, sizes.largest_mm);
  return brush;
}

StrokeBuilder::StrokeBuilder(const Brush& brush, Label label, const PaintPlane& plane,
                             const Vec3& point) {
  stroke_.label = label;
  stroke_.radius_mm = brush.radius_mm;
  stroke_.points.push_back(point);
  if (brush.shape == BrushShape::Disc) {
    // Points lie in the plane of the slice. Its own voxels are at distance 0, those of a
    // neighbouring slice one spacing away.
    stroke_.plane = StrokePlane{plane.normal, plane.spacing_mm};
  }
}

std::optional<Stroke> StrokeBuilder::add(const Vec3& point) {
  const Vec3 last = stroke_.points.back();
  if (distance(last, point) < kLeastMove * stroke_.radius_mm) {
    left_out_ = point;
    return std::nullopt;
  }
  left_out_.reset();
  stroke_.points.push_back(point);
  Stroke part = stroke_;
  part.points = {last, point};
  return part;
}

Stroke StrokeBuilder::stroke() const {
  Stroke stroke = stroke_;
  if (left_out_) stroke.points.push_back(*left_out_);
  return stroke;
}

}  // namespace seedwave::ui
