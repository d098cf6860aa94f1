// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/texture/tpcf.h"
#include "gpu/device/stream.h"
#include "gpu/texture/strips.h"

#include <cstdint>
#include <memory>

namespace seedwave::gpu {

/// Creates a solver for `fft` (Cooper et al. 2012, section III) with cuFFT. The correlation of each
/// window is a product of spectra, with two phases in one complex transform. It is computed in f64
/// and rounded to integers, which equal core's. Many windows are transformed at once. The problem,
/// already verified by check(), must outlive the solver. Throws UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> fft_on_device(const TpcfProblem& problem,
                                                         const Context& context,
                                                         const Stream& stream);

/// Returns the device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_fft_bytes(const Geometry& picture, std::int64_t window,
                                           std::int64_t phases);

}  // namespace seedwave::gpu
