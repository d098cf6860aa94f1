// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/seed_set.h"

#include <cstdint>
#include <optional>

namespace seedwave::ui {

/// A disc in the plane that is painted on, or a sphere through its neighbours.
enum class BrushShape { Disc, Sphere };

inline constexpr double kSmallestBrushMm = 0.1;
inline constexpr double kLargestBrushMm = 100.0;

struct Brush {
  std::uint16_t label = 1;
  double radius_mm = 2.0;
  BrushShape shape = BrushShape::Disc;
  friend bool operator==(const Brush&, const Brush&) = default;

  /// One step larger (positive) or smaller: 20 % each, within the bounds above.
  [[nodiscard]] Brush resized(int steps) const;
};

/// The slab that a disc brush paints on a slice: unit normal and distance of slices, world.
struct PaintPlane {
  Vec3 normal{0, 0, 1};
  double spacing_mm = 1.0;
};

/// Collects the points of one movement of the brush.
///
/// Points nearer than a quarter of a radius to the last are left out: the capsules between those
/// that are kept cover the same voxels but for a sliver, and a slow hand does not make huge files.
class StrokeBuilder {
 public:
  /// Starts at `point`; with the eraser the label is 0.
  StrokeBuilder(const Brush& brush, std::uint16_t label, const PaintPlane& plane,
                const Vec3& point);

  /// The capsule added: from the last point kept to `point`. Nothing when it was left out.
  [[nodiscard]] std::optional<Stroke> add(const Vec3& point);
  /// The stroke so far; its last point is where the brush is now.
  [[nodiscard]] Stroke stroke() const;

 private:
  Stroke stroke_;
  std::optional<Vec3> left_out_;
};

}  // namespace seedwave::ui
