// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/orientation.h"

#include <vector>

namespace seedwave {

/// Computes orientation() and angular_spectrum() with the loops of one instruction set. Answers are
/// consumed strip by strip while they are in the cache, and are never stored as an image. Lines
/// mostly along x are followed in a transposed copy, made once for all directions.
[[nodiscard]] OrientationMap orientation_in_strips(const LineFanProblem& problem,
                                                   const linear::KernelSet& kernels,
                                                   Context& context);
[[nodiscard]] std::vector<double> angular_spectrum_in_strips(const LineFanProblem& problem,
                                                             const linear::KernelSet& kernels,
                                                             Context& context);

}  // namespace seedwave
