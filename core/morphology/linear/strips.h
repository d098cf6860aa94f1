// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/linear_opening.h"

namespace seedwave {

/// Computes linear_opening() with the loops of one instruction set, for many adjacent lines in
/// strips a few vectors wide. Lines mostly along x are followed in a transposed image. Lines
/// exactly along x are opened row by row.
[[nodiscard]] Volume linear_opening_in_strips(const LinearOpeningProblem& problem,
                                              const linear::KernelSet& kernels, Context& context);

}  // namespace seedwave
