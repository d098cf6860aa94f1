// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave::bench {

/// Generates a head, u16, as the benchmark input of fuzzy connectedness: skull, fluid, folded grey
/// and white matter (600 and 900), ventricles and deep grey matter, with Gaussian noise of sigma
/// 40.
///
/// The noise of a voxel depends only on its index, so any thread count gives the same volume.
[[nodiscard]] Volume head(const Index3& size, Context& context);

/// Returns the tissue of that head, denser than its fluid, u8: 1 above 450, else 0.
[[nodiscard]] Volume head_tissue(const Index3& size, Context& context);

/// Affinity parameters for the head.
inline constexpr double kHeadM = 900.0;
inline constexpr double kHeadSigmaO = 200.0;
inline constexpr double kHeadSigmaH = 100.0;

/// Half the noise. A front stays in the tissue where it started and reaches a tenth of the voxels.
inline constexpr double kFrontSigmaO = 20.0;
/// Wide enough to make the object term negligible; every voxel without a jump is reached.
inline constexpr double kNoObjectSigmaO = 1e6;

/// Returns a seed of label 1 (white matter) at every voxel of exactly 900, and of label 2 at every
/// voxel of exactly 600.
[[nodiscard]] SeedVoxels many_seeds(const Volume& head);

/// Returns two strokes of at most 200 voxels in the middle slice: label 1 along y in the white
/// matter, label 2 along x in front of the brain.
[[nodiscard]] SeedVoxels two_strokes(const Volume& head);

/// Returns the worst case of a wavefront on bricks: one corridor of 900, one voxel wide, winding
/// through every second row of every second plane; the rest is 0.
[[nodiscard]] Volume winding_path(const Index3& size);
/// Returns seeds of label 1 on its first voxel and label 2 on its last.
[[nodiscard]] SeedVoxels path_ends(const Volume& path);

/// Returns corrections like those of a user: `count` strokes of at most 40 x 3 voxels in slices
/// near the middle, at places all over the head. Each has the label of the tissue under it (1:
/// white matter). Element i has `former` and the first i + 1 strokes; existing seeds are kept.
[[nodiscard]] std::vector<SeedVoxels> added_strokes(const Volume& head, const SeedVoxels& former,
                                                    int count);

/// Returns objects (1) with round holes, u8: about one hole in each square or cube of side
/// `period`, shifted and bent by sines so that no two are alike. One fifth is holes. The mean
/// distance from an object's cell to the nearest hole is 0.19 of the period in 2-D, 0.16 in a
/// volume.
[[nodiscard]] Volume blobs(const Index3& size, double period, Context& context);

}  // namespace seedwave::bench
