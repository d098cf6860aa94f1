// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// The exact distance transform `min-plus` on the context's device, bit-identical to core's. Steps
/// along columns are counted. Then, along rows and along z, each cell takes the minimum of square
/// plus squared step. The search goes outward by blocks of cells, as long as the minimum square of
/// a block could still win. Nearest cells, zones and arbitrary spacings use the same passes on
/// wider numbers.
///
/// Workers of the context, on devices and as groups of CPU threads, share the passes as on the CPU
/// (distance/part_solver.h). In the same way one device solves what does not fit into its free
/// memory or the context's limit, or whose columns are too long for a multiprocessor. Nearest cells
/// and zones that is_divided_by_min_plus() denies are computed as a whole, on the context's device.
///
/// Stages: upload, distance, download. Throws UnavailableError (no device, out of memory, lines
/// longer than a multiprocessor of the context's devices holds), DeviceFault and Cancelled.
/// Requires a problem for which why_no_distance() is "".
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   Context& context);

/// Returns why the calling thread's device cannot solve the problem: lines longer than a
/// multiprocessor's shared memory. Empty if it can. Zones: Find.
[[nodiscard]] std::string why_no_distance(const Geometry& geometry, const DistanceScale& scale,
                                          NearestCells nearest);

/// Returns the device memory of a run on the whole image.
[[nodiscard]] std::int64_t distance_bytes(const Geometry& geometry, const DistanceScale& scale,
                                          NearestCells nearest);
/// Returns the minimum device memory of a run, in parts if possible.
[[nodiscard]] std::int64_t least_distance_bytes(const Geometry& geometry,
                                                const DistanceScale& scale, NearestCells nearest);
/// Return the same for zones. `label_bytes`: 2 or 4.
[[nodiscard]] std::int64_t influence_zones_bytes(const Geometry& geometry,
                                                 const DistanceScale& scale,
                                                 std::size_t label_bytes);
[[nodiscard]] std::int64_t least_influence_zones_bytes(const Geometry& geometry,
                                                       const DistanceScale& scale,
                                                       std::size_t label_bytes);

}  // namespace seedwave::gpu
