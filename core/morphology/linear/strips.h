// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/linear_opening.h"

namespace seedwave {

/// linear_opening() with the loops of one instruction set: of many lines side by side, in strips a
/// few vectors wide. Lines that run mostly along x do so in an image turned over its diagonal, but
/// those that run straight along it, row by row.
[[nodiscard]] Volume linear_opening_in_strips(const LinearOpeningProblem& problem,
                                              const linear::KernelSet& kernels, Context& context);

}  // namespace seedwave
