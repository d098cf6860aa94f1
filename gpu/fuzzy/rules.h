// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

#include <cstdint>

namespace seedwave::gpu {

/// What tiles.h says, of any neighbourhood: the rules of core/wavefront on tiles in shared memory.
/// Where an affinity is stored for each of four or nine or thirteen neighbours, reading them is
/// most of the work, so that sweeps in registers would gain little.
[[nodiscard]] fuzzy::Answer rfc_by_rules(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] fuzzy::Answer irfc_by_rules(const fuzzy::Problem& problem, Context& context);
[[nodiscard]] std::int64_t rules_bytes(const Geometry& geometry, Connectivity connectivity,
                                       bool masked);

}  // namespace seedwave::gpu
