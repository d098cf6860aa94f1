// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seedwave {

/// Limits a stroke to the plane in which it was painted.
struct StrokePlane {
  Vec3 normal{0, 0, 1};
  /// Full thickness in mm: a voxel belongs when its centre is within half of it.
  double thickness_mm = 1.0;
  friend bool operator==(const StrokePlane&, const StrokePlane&) = default;
};

/// One movement of the brush, in world coordinates, so that it survives resampling.
///
/// The union of the capsules between successive points: a voxel belongs when its centre is inside,
/// and at least the voxel under each point. With `plane`, a disc brush: the capsule is cut to the
/// slab through each segment. Label 0 erases.
struct Stroke {
  std::uint16_t label = 1;
  double radius_mm = 1.0;
  std::vector<Vec3> points;
  std::optional<StrokePlane> plane;
  friend bool operator==(const Stroke&, const Stroke&) = default;
};

/// One seed voxel.
struct Seed {
  std::int64_t offset = 0;
  std::uint16_t label = 0;
  friend bool operator==(const Seed&, const Seed&) = default;
};

/// Seeds on a grid: sorted by offset, each voxel at most once, no label 0.
struct SeedVoxels {
  std::vector<Seed> seeds;
  /// Stroke points that lay outside the grid.
  std::int64_t outside = 0;
  /// Labels whose strokes all lie outside the grid, ascending. One that was painted over or erased
  /// is not among them: that is the user's will.
  std::vector<std::uint16_t> labels_outside{};
};

/// What the user painted: strokes in order of time, the later wins. Any can be withdrawn.
struct SeedSet {
  std::vector<Stroke> strokes;

  /// The strokes drawn on a grid. Cost: the strokes' boxes. Deterministic.
  [[nodiscard]] SeedVoxels rasterise(const Geometry& geometry) const;
  friend bool operator==(const SeedSet&, const SeedSet&) = default;
};

/// The seeds of a label image: every voxel that is not 0.
[[nodiscard]] SeedVoxels seeds_from(const LabelMap& map);

/// Calls nothing and allocates only the answer: the offsets that one stroke covers on a grid,
/// sorted.
[[nodiscard]] std::vector<std::int64_t> rasterise(const Stroke& stroke, const Geometry& geometry);

/// How many voxels rasterise looks at, some 5 ns each: what a file's strokes ask for can be refused
/// before it is done.
[[nodiscard]] double rasterise_cost(const Stroke& stroke, const Geometry& geometry);

}  // namespace seedwave
