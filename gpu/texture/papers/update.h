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

/// `update`, the paper's own on a device, the baseline that `box` is measured against: L. A. D.
/// Cooper, J. H. Saltz, U. Catalyurek, K. Huang 2012, section V. A block of threads goes along
/// windows from left to right; each thread adds the pairs of the column that enters, and takes off
/// those of the one that leaves, at its share of the lags; then the threads share the radii.
///
/// Other than there: columns are words of bits, counts lie in shared memory, sequences of windows
/// have an end, so that no launch runs into a watchdog, and any window, directions and phases will
/// do. The problem, which check() has seen, must outlive it. Throws UnavailableError (out of
/// memory).
[[nodiscard]] std::unique_ptr<StripSolver> update_on_device(const TpcfProblem& problem,
                                                            const Context& context,
                                                            const Stream& stream);

/// Device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_update_bytes(const Geometry& picture, std::int64_t window,
                                              std::int64_t phases);

}  // namespace seedwave::gpu
