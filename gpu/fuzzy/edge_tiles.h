// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// What tiles.h says, with 8, 18 and 26 neighbours. Nothing stays for the next run but affinities.
[[nodiscard]] fuzzy::Answer rfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] fuzzy::Answer irfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] std::int64_t edge_tiles_bytes(const Geometry& geometry, Connectivity connectivity,
                                            bool masked);

}  // namespace seedwave::gpu
