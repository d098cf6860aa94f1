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

/// Creates a solver for `box`. It counts the changes at the corners of the windows for four phases
/// at once. It weighs them as a product of byte matrices on the tensor cores. The problem, already
/// verified by check(), must outlive it. Throws UnavailableError (out of memory).
[[nodiscard]] std::unique_ptr<StripSolver> box_on_device(const TpcfProblem& problem,
                                                         const Context& context,
                                                         const Stream& stream);

/// Returns the device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_box_bytes(const Geometry& picture, std::int64_t window,
                                           std::int64_t phases);

}  // namespace seedwave::gpu
