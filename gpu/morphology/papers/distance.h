// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/parallel/context.h"
#include "gpu/morphology/papers/wave_queue.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// `iwpp-edt` on the context's device, of images: core's rule of that name, each pixel handing on
/// the background pixel that it holds for its nearest to its 8 neighbours, in waves, by compare and
/// swap (Teodoro et al. 2013, Algorithm 6).
///
/// Approximate as on the CPU: a distance may be too large (the paper's example: 13.038 for 13),
/// never too small; how much, `seedwave-gpu-check accuracy` says. Which pixels, depends on the
/// order in which waves meet: two runs may differ there. Stages: upload, distance, download. Throws
/// UnavailableError (no device, out of memory) and Cancelled. Takes problems for which
/// why_no_iwpp() is "".
[[nodiscard]] DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context);

struct IwppRun {
  DistanceMap map;
  QueueUse queue;
};
/// The same, with the queue that the paper's experiments choose.
[[nodiscard]] IwppRun run_iwpp(const DistanceProblem& problem, const QueueSettings& settings,
                               Context& context);

/// Why a device cannot do it: volumes, images of 2^31 pixels.
[[nodiscard]] std::string why_no_iwpp(const DistanceProblem& problem);

/// Device memory of a run: what pixels hold, the answer, and queues for a tenth of them.
[[nodiscard]] std::int64_t iwpp_bytes(const Geometry& geometry);

}  // namespace seedwave::gpu
