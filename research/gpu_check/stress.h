// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "research/gpu_check/checks.h"

#include <cstdint>

namespace seedwave::gpu_check {

struct StressOptions {
  int device = 0;
  int runs = 1000;
  std::uint64_t first_case = 0;
};
/// Stresses the engine's worklist with tiles of 32 cells, hundreds of workers, and visits with
/// random delays, left and continued. Every run must end at the fixpoint that plain sweeps on the
/// host find.
[[nodiscard]] Report check_stress(const StressOptions& options);

}  // namespace seedwave::gpu_check
