// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <vector>

namespace seedwave::bench {

/// A head by formula, u16: skull, fluid, folded grey and white matter (900 and 600), ventricles and
/// deep grey, with Gaussian noise of sigma 40: what fuzzy connectedness is measured on.
///
/// The noise of a voxel depends on its index alone, so any thread count gives the same volume.
[[nodiscard]] Volume head(const Index3& size, Context& context);

/// The tissue of that head, denser than its fluid, u8: 1 above 450, else 0.
[[nodiscard]] Volume head_tissue(const Index3& size, Context& context);

/// Affinity values that belong to it.
inline constexpr double kHeadM = 900.0;
inline constexpr double kHeadSigmaO = 200.0;
inline constexpr double kHeadSigmaH = 100.0;

/// Half the noise: a front stays in the tissue where it started, and reaches a tenth of the voxels.
inline constexpr double kFrontSigmaO = 20.0;
/// So wide that the object term says nothing, and every voxel without a jump is reached.
inline constexpr double kNoObjectSigmaO = 1e6;

/// Every voxel of exactly 900 is a seed of label 1 (white matter), of exactly 600 of label 2.
[[nodiscard]] SeedVoxels many_seeds(const Volume& head);

/// Two strokes of at most 200 voxels in the middle slice: label 1 along y in the white matter,
/// label 2 along x in front of the brain.
[[nodiscard]] SeedVoxels two_strokes(const Volume& head);

/// The worst case of a wavefront on bricks: one corridor of 900, a voxel wide, winding through
/// every second row of every second plane; the rest 0.
[[nodiscard]] Volume winding_path(const Index3& size);
/// Label 1 on its first voxel, label 2 on its last.
[[nodiscard]] SeedVoxels path_ends(const Volume& path);

/// Corrections as a user makes them: `count` strokes of at most 40 x 3 voxels in slices near the
/// middle, at places all over the head, each with the label whose tissue lies under it (1: white
/// matter). Element i: `former` and the first i + 1 strokes; what has a seed already keeps it.
[[nodiscard]] std::vector<SeedVoxels> added_strokes(const Volume& head, const SeedVoxels& former,
                                                    int count);

}  // namespace seedwave::bench
