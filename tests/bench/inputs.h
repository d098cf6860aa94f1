// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"

#include <cstdint>

namespace seedwave::bench {

/// A head with skull, folded cortex, ventricles and deep grey matter by formula, u16, with Gaussian
/// noise of 40: what fuzzy connectedness is measured on. The same on every machine.
[[nodiscard]] Volume head(std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// The affinity that goes with head().
inline constexpr double kHeadM = 900;
inline constexpr double kHeadSigmaH = 100;
inline constexpr double kHeadSigmaO = 200;

/// Every voxel that is exactly 900 (label 1, white matter) or 600 (label 2, grey matter).
[[nodiscard]] SeedVoxels head_many_seeds(const Volume& head);

/// Two strokes of 200 voxels in the middle slice: label 1 along y in the white matter, label 2
/// along x near the skull.
[[nodiscard]] SeedVoxels head_two_strokes(const Geometry& geometry);

}  // namespace seedwave::bench
