// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

namespace seedwave::gpu {

/// P-ORFC, the paper's parallel algorithm: problem.object against all other labels (0: each label
/// in turn). Every cell is compared with its neighbours in every round until none changes.
///
/// It differs from the paper in one point: a round reads only the states of the previous round, not
/// values that other threads have just written. The result is therefore the same in every run. The
/// strength equals that of the exact algorithms; the object lies between those of rfc and irfc.
///
/// Stages: upload, affinity, propagate, download. Device memory: porfc_bytes(). Throws:
/// UnavailableError (no device, out of memory), Cancelled. Source: Y. Zhuge, K. C. Ciesielski, J.
/// K. Udupa, R. W. Miller, Med. Phys. 40(1), 2013, Algorithms 1 to 3.
[[nodiscard]] fuzzy::Answer porfc_by_rounds(const fuzzy::Problem& problem, Context& context);

/// P-RFC, the paper's parallel algorithm for the relative object: P-ORFC for each label with its
/// seeds alone, then the strongest label. Cells of equal strengths have no label. Exact. Device
/// memory as above. Throws as above. Source: as above, Algorithm 4.
[[nodiscard]] fuzzy::Answer prfc_by_rounds(const fuzzy::Problem& problem, Context& context);

/// Returns the device memory of a run of either, scene and affinities included.
[[nodiscard]] std::int64_t porfc_bytes(const Geometry& geometry, Connectivity connectivity,
                                       bool masked);

}  // namespace seedwave::gpu
