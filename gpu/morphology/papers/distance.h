// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/parallel/context.h"
#include "gpu/morphology/papers/wave_queue.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// `iwpp-edt` on the context's device, for 2-D images: core's rule of that name. Each pixel passes
/// its nearest known background pixel on to its 8 neighbours, in waves, by compare-and-swap
/// (Teodoro et al. 2013, Algorithm 6).
///
/// Approximate as on the CPU: a distance may be too large (the paper's example: 13.038 for 13),
/// never too small. `seedwave-gpu-check accuracy` reports the errors. The affected pixels depend on
/// the order in which waves meet, so two runs may differ. Stages: upload, distance, download.
/// Throws UnavailableError (no device, out of memory) and Cancelled. Requires a problem for which
/// why_no_iwpp() is "".
[[nodiscard]] DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context);

struct IwppRun {
  DistanceMap map;
  QueueUse queue;
};
/// Does the same with the queue chosen by the paper's experiments.
[[nodiscard]] IwppRun run_iwpp(const DistanceProblem& problem, const QueueSettings& settings,
                               Context& context);

/// Returns why a device cannot solve the problem: volumes, and images of 2^31 pixels.
[[nodiscard]] std::string why_no_iwpp(const DistanceProblem& problem);

/// Returns the device memory of a run: pixels' values, the answer, and queues for a tenth of the
/// pixels.
[[nodiscard]] std::int64_t iwpp_bytes(const Geometry& geometry);

}  // namespace seedwave::gpu
