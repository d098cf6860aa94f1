// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"

#include <cstdint>

namespace seedwave::test {

/// A small random image with seeds, in which affinities often tie, vanish and saturate.
struct RandomSegmentation {
  Volume image;
  SeedVoxels seeds;
  LabelMap mask;  // empty: none
  double m = 0.0;
  double sigma_o = 1.0;
  double sigma_h = 1.0;
};

enum class WithMask { No, Yes };
/// Patches make long paths.
enum class Texture { Noise, Patches };

struct RandomSpec {
  Index3 size{1, 1, 1};
  VoxelType type = VoxelType::U8;
  int labels = 2;
  WithMask mask = WithMask::No;
  Texture texture = Texture::Noise;
};

/// Returns the same result for the same spec and number on every machine. Every label has a seed
/// inside the mask; some seeds may lie outside it. The size must hold at least as many cells as
/// labels.
[[nodiscard]] RandomSegmentation random_segmentation(const RandomSpec& spec, std::uint64_t number);

}  // namespace seedwave::test
