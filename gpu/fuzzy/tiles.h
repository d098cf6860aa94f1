// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>

namespace seedwave::gpu {

/// Exact fuzzy connectedness by the tile engine on the context's device: the bits that core's tiles
/// give. 4 and 6 neighbours on bricks in registers, others on tiles in shared memory
/// (edge_tiles.h).
///
/// On bricks a run leaves its result on the device. The next one, with the same affinities and
/// seeds added, goes on from there: strengths from the bricks with new seeds, labels where an
/// optimal edge came or went.
///
/// With 4 and 6 neighbours a run keeps to the context's memory where that is stated, and goes by
/// slabs (core/fuzzy/slabs.h) where that, or the device's, is too little; it then leaves nothing.
///
/// Stages: upload, affinity, propagate, labels, download. Device memory: tiles_bytes().
/// Throws: UnavailableError (no device, out of memory), Cancelled.

/// Relative connectedness: one wavefront of strengths for each label.
[[nodiscard]] fuzzy::Answer rfc_by_tiles(const fuzzy::Problem& problem, Context& context);

/// Iterative relative connectedness: strengths first, then labels along optimal edges, sixteen
/// labels at once.
[[nodiscard]] fuzzy::Answer irfc_by_tiles(const fuzzy::Problem& problem, Context& context);

/// Device memory of a run, scene and affinities included.
[[nodiscard]] std::int64_t tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                       bool masked);

/// The least memory that can be stated, for so many labels, tables of intensities and seeds; more
/// than there is with other neighbours.
[[nodiscard]] std::int64_t least_tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                             std::size_t labels, std::size_t objects,
                                             std::size_t seeds);

}  // namespace seedwave::gpu
