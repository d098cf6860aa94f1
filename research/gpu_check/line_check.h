// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
#include "research/gpu_check/checks.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu_check {

struct LineOptions {
  int device = 0;
  int random_cases = 1000;
  std::uint64_t first_case = 0;
};

/// A small random 2-D image or volume, the same for the same number on every machine. It covers
/// every type, border and filter and any direction; sizes around a word, a block of rows and a
/// tile; images one cell wide and images without flat zones; lengths from 1 to beyond the image.
struct LineCase {
  std::string name;
  LinearOpeningProblem problem;
};
[[nodiscard]] LineCase random_line_case(std::uint64_t number);

/// Compares openings and closings by lines with core's, bit for bit, on random cases. Covers every
/// CUDA solver and each of its methods, slabs for too little memory, and many directions at once.
/// Before each run its device memory is filled with 0xA5, and every run is repeated.
[[nodiscard]] Report check_lines(const LineOptions& options);

}  // namespace seedwave::gpu_check
