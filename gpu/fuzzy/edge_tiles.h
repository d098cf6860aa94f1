// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// Implements tiles.h for 8, 18 and 26 neighbours. Only affinities are kept for the next run.
[[nodiscard]] fuzzy::Answer rfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] fuzzy::Answer irfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] std::int64_t edge_tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                            bool masked);

}  // namespace seedwave::gpu
