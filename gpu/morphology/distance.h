// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// `min-plus` on the context's device: the exact distance transform, the bits that core's gives.
/// Steps along columns are counted, then along rows and along z the least of square and squared
/// step is taken, outward by blocks of cells as long as a block's least square could still win.
/// Nearest cells, zones and any spacings by the same passes, on wider numbers.
///
/// Equal spacings without nearest cells are done in parts where the device's free memory, or what
/// the context states, is too little: every line of a pass needs its own cells alone, so nothing is
/// visited twice.
///
/// Stages: upload, distance, download. Throws UnavailableError (no device, out of memory) and
/// Cancelled. Takes problems for which why_no_distance() is "".
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   Context& context);

/// Why a device cannot do it: lines longer than a multiprocessor's shared memory. named: with
/// nearest cells, or zones.
[[nodiscard]] std::string why_no_distance(const Geometry& geometry, const DistanceScale& scale,
                                          bool named);

/// Device memory of a run on the whole.
[[nodiscard]] std::int64_t distance_bytes(const Geometry& geometry, const DistanceScale& scale,
                                          bool named);
/// The least that a run does with, in parts where it can.
[[nodiscard]] std::int64_t least_distance_bytes(const Geometry& geometry,
                                                const DistanceScale& scale, bool named);
[[nodiscard]] std::int64_t influence_zones_bytes(const Geometry& geometry,
                                                 const DistanceScale& scale);

}  // namespace seedwave::gpu
