// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/checks.h"

#include <cstdint>

namespace seedwave::gpu_check {

struct TextureOptions {
  int device = 0;
  int random_cases = 500;
  std::uint64_t first_case = 0;
};

/// Two-point correlations of random pictures, strips of any height and too little memory among
/// them, their nearest classes and samples, against core's, bit for bit. The device memory that a
/// run is given is filled with 0xA5 first, and every run is repeated.
[[nodiscard]] Report check_textures(const TextureOptions& options);

}  // namespace seedwave::gpu_check
