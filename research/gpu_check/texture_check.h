// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/checks.h"

#include <cstdint>

namespace seedwave::gpu_check {

struct TextureOptions {
  int device = 0;
  int random_cases = 500;
  std::uint64_t first_case = 0;
};

/// Compares two-point correlations of random images, their nearest classes and samples with core's,
/// bit for bit. Strips of any height and too little memory are included. Before each run its device
/// memory is filled with 0xA5, and every run is repeated.
[[nodiscard]] Report check_textures(const TextureOptions& options);

}  // namespace seedwave::gpu_check
