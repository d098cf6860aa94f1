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

/// Creates a solver for `update`, the paper's device algorithm and the baseline for `box`: L. A. D.
/// Cooper, J. H. Saltz, U. Catalyurek, K. Huang 2012, section V. A block of threads moves along
/// windows from left to right. Each thread adds the pairs of the entering column and subtracts
/// those of the leaving one, for its share of the lags. Then the threads share the radii.
///
/// Differences from the paper: columns are words of bits, and counts lie in shared memory.
/// Sequences of windows have an end, so that no launch triggers a watchdog. Any window, directions
/// and phases are supported. The problem, already verified by check(), must outlive the solver.
/// Throws UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> update_on_device(const TpcfProblem& problem,
                                                            const Context& context,
                                                            const Stream& stream);

/// Returns the device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_update_bytes(const Geometry& picture, std::int64_t window,
                                              std::int64_t phases);

}  // namespace seedwave::gpu
