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

/// `fft` (Cooper et al. 2012, section III), by cuFFT: the correlation of each window as a product
/// of spectra, two phases in one complex transform, f64, rounded to whole numbers, which are
/// core's. Many windows at once. The problem, which check() has seen, must outlive it. Throws
/// UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> fft_on_device(const TpcfProblem& problem,
                                                         const Context& context,
                                                         const Stream& stream);

/// Device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_fft_bytes(const Geometry& picture, std::int64_t window,
                                           std::int64_t phases);

}  // namespace seedwave::gpu
