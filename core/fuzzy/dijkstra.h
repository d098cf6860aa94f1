// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

namespace seedwave::fuzzy {

/// Computes iterative relative fuzzy connectedness for any number of labels in one Dijkstra-like
/// run.
///
/// Cells leave a bucket queue in order of strength. An offer of equal strength with another label
/// joins to kTie. A finished cell whose label changed this way is queued again at the same level,
/// so the tie reaches every cell that depends on it. The result follows the definition: a cell gets
/// label k if all its strongest paths start at k. Only paths whose initial parts are all strongest
/// paths too are considered.
///
/// Reference implementation for the exact solvers. Cost: linear in the number of edges reached.
/// Throws Cancelled. Source: GC_max as described in Y. Zhuge, K. C. Ciesielski, J. K. Udupa, R. W.
/// Miller, Med. Phys. 40(1), 2013, section II.A.4, with ties made symmetric between labels.
[[nodiscard]] Answer irfc_by_dijkstra(const Problem& problem, Context& context);

/// Computes relative fuzzy connectedness. A cell gets label k if its strength to the seeds of k is
/// greater than to those of every other label. If only one label has seeds, it gets every cell that
/// they reach (the absolute object).
///
/// Each label is propagated independently of the others, as in Algorithm 4 of the source. Throws
/// Cancelled.
[[nodiscard]] Answer rfc_by_dijkstra(const Problem& problem, Context& context);

}  // namespace seedwave::fuzzy
