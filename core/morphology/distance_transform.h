// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// For each voxel the nearest source, and how far it is.
struct DistanceTransform {
  /// Squared distance between centres in the spacing's unit; infinity where there is no source.
  std::vector<double> squared;
  /// Offset of the nearest source, of equally near ones the smallest; -1 where there is none.
  std::vector<std::int64_t> nearest;
};

/// The exact Euclidean distance transform of a grid with its own spacing along each axis.
///
/// Distances are computed in f64 as (dx^2 sx^2 + dy^2 sy^2) + dz^2 sz^2, in that order: whole
/// numbers where the spacing is, and the same bits for any number of threads. Where these squares
/// are rounded, a source farther by no more than the rounding may stand for the nearest.
/// sources: not 0 where a voxel is a source, x fastest.
/// Cost: a pass an axis; along y and z a line of n voxels takes O(n log n).
/// Throws: Cancelled.
[[nodiscard]] DistanceTransform distance_transform(std::span<const std::uint8_t> sources,
                                                   const Index3& size, const Vec3& spacing,
                                                   Context& context);

}  // namespace seedwave
