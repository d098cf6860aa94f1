// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

namespace seedwave::fuzzy {

/// P-ORFC, the parallel algorithm of the source, as a baseline: its object lies between the
/// relative and the iterative relative one.
///
/// Two classes, problem.object (lambda = 0) against all other labels (lambda = 1). A state is
/// (h, lambda); in each round every cell takes the greatest of its own state and (min(h, kappa),
/// lambda) of its neighbours, the background winning ties, until nothing changes. The source leaves
/// the order of updates inside a round to the hardware; here a round reads only the states of the
/// round before, so that the answer repeats. problem.object = 0: each label in turn.
///
/// Throws: Cancelled.
/// Source: Y. Zhuge, K. C. Ciesielski, J. K. Udupa, R. W. Miller, Med. Phys. 40(1), 2013,
/// Algorithms 1 and 3.
[[nodiscard]] Answer porfc_by_rounds(const Problem& problem, Context& context);

/// P-RFC, the source's parallel algorithm for the relative object: P-ORFC once for each label, with
/// its seeds alone, which gives the strength to them; a cell goes to the label of the greatest
/// strength, or to none where several are equal. Exact: equals rfc_by_dijkstra. The baseline for
/// rfc_by_tiles; takes about as many times longer than P-ORFC as there are labels.
///
/// Throws: Cancelled.
/// Source: as above, Algorithm 4, there for an object and its background.
[[nodiscard]] Answer prfc_by_rounds(const Problem& problem, Context& context);

}  // namespace seedwave::fuzzy
