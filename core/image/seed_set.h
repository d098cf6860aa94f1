// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace seedwave {

/// The plane in which a stroke was painted, and to which it is limited.
struct StrokePlane {
  Vec3 normal{0, 0, 1};
  /// Full thickness in mm: a voxel belongs to the stroke if its centre is within half of it.
  double thickness_mm = 1.0;
  friend bool operator==(const StrokePlane&, const StrokePlane&) = default;
};

/// One movement of the brush, in world coordinates, so that it survives resampling.
///
/// A stroke is the union of the capsules between successive points. A voxel belongs to it if its
/// centre is inside; the voxel under each point always belongs. With `plane`, a disc brush: the
/// capsule is cut to the slab through each segment. Label 0 erases.
struct Stroke {
  Label label = 1;
  double radius_mm = 1.0;
  std::vector<Vec3> points;
  std::optional<StrokePlane> plane;
  friend bool operator==(const Stroke&, const Stroke&) = default;
};

/// One seed voxel.
struct Seed {
  std::int64_t offset = 0;
  Label label = 0;
  friend bool operator==(const Seed&, const Seed&) = default;
};

/// Seeds on a grid: sorted by offset, each voxel at most once, no label 0.
struct SeedVoxels {
  std::vector<Seed> seeds;
  /// Number of stroke points outside the grid.
  std::int64_t outside = 0;
  /// Labels whose strokes all lie outside the grid, ascending. Labels that were painted over or
  /// erased are not listed: that is the user's intention.
  std::vector<Label> labels_outside{};
};

/// The user's strokes in order of time; later ones win. Any can be removed.
struct SeedSet {
  std::vector<Stroke> strokes;

  /// Returns the strokes drawn on a grid. Cost: the strokes' boxes. Deterministic.
  [[nodiscard]] SeedVoxels rasterise(const Geometry& geometry) const;
  friend bool operator==(const SeedSet&, const SeedSet&) = default;
};

/// Returns the seeds of a label map: every voxel that is not 0.
[[nodiscard]] SeedVoxels seeds_from(const LabelMap& map);

/// Returns the sorted offsets that one stroke covers on a grid. Allocates only the answer.
[[nodiscard]] std::vector<std::int64_t> rasterise(const Stroke& stroke, const Geometry& geometry);

/// Returns the number of voxels that rasterise examines, some 5 ns each, so that excessive strokes
/// of a file can be refused beforehand.
[[nodiscard]] double rasterise_cost(const Stroke& stroke, const Geometry& geometry);

}  // namespace seedwave
