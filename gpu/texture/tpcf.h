// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/tpcf.h"

#include <cstdint>

namespace seedwave::gpu {

/// `box` on the context's device: tpcf()'s bits. What changes at the corners of the windows is
/// counted for four phases at once, and weighed as a product of matrices of bytes on the tensor
/// cores. Rows of windows go in strips: as many as memory allows, and as `strip_rows` says, each
/// brought back for the sink and handed over by the calling thread, from the top down. Stages:
/// upload, features, download. Throws what check() throws, UnavailableError (no device, out of
/// memory) and Cancelled.
void tpcf_by_box(const TpcfProblem& problem, const FeatureSink& sink, Context& context);

/// The same again and again without a way back: for measuring.
void repeat_tpcf(const TpcfProblem& problem, int runs, Context& context);

}  // namespace seedwave::gpu
