// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace seedwave::gpu {

/// Exact fuzzy connectedness by the tile engine on the context's device, bit-identical to the CPU's
/// tiles. 4 and 6 neighbours run on bricks in registers, others on tiles in shared memory
/// (edge_tiles.cu).
///
/// On bricks a run leaves its result on the device. The next run with the same affinities and added
/// seeds continues from it: strengths from the bricks with new seeds, labels where an optimal edge
/// was gained or lost.
///
/// With 4 and 6 neighbours a run observes the context's memory limit. It works in slabs
/// (core/fuzzy/slabs.h) if the limit or the device's memory is too small; it then leaves no result.
///
/// Stages: upload, affinity, propagate, labels, download. Device memory: tiles_bytes(). Throws:
/// UnavailableError (no device, out of memory), Cancelled.

/// Relative connectedness: one wavefront of strengths for each label.
[[nodiscard]] fuzzy::Answer rfc_by_tiles(const fuzzy::Problem& problem, Context& context);

/// Iterative relative connectedness: strengths first, then labels along optimal edges, sixteen
/// labels at once.
[[nodiscard]] fuzzy::Answer irfc_by_tiles(const fuzzy::Problem& problem, Context& context);

/// Returns the device memory of a run, scene and affinities included.
[[nodiscard]] std::int64_t tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                       bool masked);

/// Returns the smallest memory limit for these numbers of labels, tables of intensities and seeds.
/// With other neighbourhoods it exceeds any device's memory.
[[nodiscard]] std::int64_t least_tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                             std::size_t labels, std::size_t objects,
                                             std::size_t seeds);

/// Returns why runs with these neighbours cannot be shared or saved, or "".
[[nodiscard]] std::string why_no_shared_tiles(Connectivity connectivity);

/// rfc_by_tiles(), irfc_by_tiles() and tiles_bytes() for 8, 18 and 26 neighbours alone. Only
/// affinities are kept for the next run.
[[nodiscard]] fuzzy::Answer rfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] fuzzy::Answer irfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] std::int64_t edge_tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                            bool masked);

}  // namespace seedwave::gpu
