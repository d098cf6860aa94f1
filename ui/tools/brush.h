// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"

#include <array>
#include <cstdint>
#include <optional>

namespace seedwave::ui {

/// A disc in the painted plane, or a sphere through neighbouring slices.
enum class BrushShape { Disc, Sphere };

/// The radii of a brush on images of one kind.
struct BrushSizes {
  double smallest_mm = 0.1;
  double largest_mm = 100.0;
  /// The first one.
  double usual_mm = 2.0;
  /// Those that a click gives.
  std::array<double, 4> offered_mm{1.0, 2.0, 5.0, 10.0};
  friend bool operator==(const BrushSizes&, const BrushSizes&) = default;
};
/// Returns those for a grid: under the microscope, 0.5 micrometres to 5 mm.
[[nodiscard]] BrushSizes brush_sizes(const Geometry& geometry);

struct Brush {
  Label label = 1;
  double radius_mm = 2.0;
  BrushSizes sizes{};
  BrushShape shape = BrushShape::Disc;
  friend bool operator==(const Brush&, const Brush&) = default;

  /// Returns the brush resized by `steps`, larger if positive: 20 % a step, within its
  /// sizes.
  [[nodiscard]] Brush resized(int steps) const;
};

/// The slab that a disc brush paints on a slice: unit normal and slice spacing, in world
/// coordinates.
struct PaintPlane {
  Vec3 normal{0, 0, 1};
  double spacing_mm = 1.0;
};

/// Collects the points of one brush stroke.
///
/// Drops points closer than a quarter of the radius to the last one kept. The capsules between the
/// kept points cover nearly the same voxels, and slow strokes do not make large files.
class StrokeBuilder {
 public:
  /// Starts at `point`. The eraser paints label 0.
  StrokeBuilder(const Brush& brush, Label label, const PaintPlane& plane, const Vec3& point);

  /// Adds a point. Returns the capsule from the last kept point to `point`, or nothing if `point`
  /// was dropped.
  [[nodiscard]] std::optional<Stroke> add(const Vec3& point);
  /// Returns the stroke so far. Its last point is the current position of the brush.
  [[nodiscard]] Stroke stroke() const;

 private:
  Stroke stroke_;
  std::optional<Vec3> left_out_;
};

}  // namespace seedwave::ui
