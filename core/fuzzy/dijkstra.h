// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

namespace seedwave::fuzzy {

/// Iterative relative fuzzy connectedness, any number of labels, by one Dijkstra-like run.
///
/// Cells leave a bucket queue in order of strength. An equally strong offer of another label joins
/// to kTie; a finished cell whose label grew so is queued again at the same level, so that the tie
/// reaches all that hangs on it. The result is the definition's: label k where every path of
/// greatest strength, each of whose beginnings is of greatest strength too, starts at k.
///
/// The plain reference of the exact solvers. Cost: linear in the edges that are reached.
/// Throws: Cancelled.
/// Source: GC_max as described in Y. Zhuge, K. C. Ciesielski, J. K. Udupa, R. W. Miller, Med. Phys.
/// 40(1), 2013, section II.A.4, with ties made symmetric between labels.
[[nodiscard]] Answer irfc_by_dijkstra(const Problem& problem, Context& context);

/// Relative fuzzy connectedness: label k where the strength to k's seeds is greater than to those
/// of every other label. With seeds of one label only: all that they reach (the absolute object).
///
/// One run a label that knows nothing of the others, as in the source's Algorithm 4.
/// Throws: Cancelled.
[[nodiscard]] Answer rfc_by_dijkstra(const Problem& problem, Context& context);

}  // namespace seedwave::fuzzy
