// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gpu_check/checks.h"
#include "core/morphology/linear/linear_opening.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu_check {

struct LineOptions {
  int device = 0;
  int random_cases = 1000;
  std::uint64_t first_case = 0;
};

/// A small random picture or volume, the same for the same number on every machine: every type,
/// border and filter, any direction; sizes around a word, a block of rows and a tile, one cell wide
/// and empty of flat zones; lengths from 1 to beyond the image.
struct LineCase {
  std::string name;
  LinearOpeningProblem problem;
};
[[nodiscard]] LineCase random_line_case(std::uint64_t number);

/// Openings and closings by lines, every CUDA solver and each of its ways, slabs for too little
/// memory among them, and many directions at once, against core's, bit for bit, on random cases.
/// The device memory that a run is given is filled with 0xA5 first, and every run is repeated.
[[nodiscard]] Report check_lines(const LineOptions& options);

}  // namespace seedwave::gpu_check
