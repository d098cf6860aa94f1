// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"

namespace seedwave::gpu {

/// Exact fuzzy connectedness by whole-volume rounds of directional sweeps on the context's device.
///
/// A round sweeps all lines of each step to a neighbour, both ways. Rounds repeat until one changes
/// nothing. The passes are monotone, so the result equals the CPU's, bit for bit. The number of
/// rounds is the number of turns of the most winding optimal path. This is the plain baseline.
///
/// Stages: upload, affinity, propagate, irfc also labels, download. Device memory: sweeps_bytes().
/// Throws: UnavailableError (no device, out of memory), Cancelled.

/// Relative connectedness: label k if mu(c, S_k) is greater than that of all other labels.
[[nodiscard]] fuzzy::Answer rfc_by_sweeps(const fuzzy::Problem& problem, Context& context);

/// Iterative relative connectedness: strengths first, then labels along optimal edges.
[[nodiscard]] fuzzy::Answer irfc_by_sweeps(const fuzzy::Problem& problem, Context& context);

/// Returns the device memory of a run, scene and affinities included.
[[nodiscard]] std::int64_t sweeps_bytes(const Geometry& geometry, Connectivity connectivity,
                                        bool masked);

}  // namespace seedwave::gpu
