// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/kernel.h"
#include "core/texture/tpcf.h"

namespace seedwave {

/// Computes tpcf() with the loops of one instruction set.
void tpcf_by_box(const TpcfProblem& problem, const texture::Kernel& kernel, const FeatureSink& sink,
                 Context& context);

}  // namespace seedwave
