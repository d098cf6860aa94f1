// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

namespace seedwave::fuzzy {

/// Computes P-ORFC, the parallel algorithm of the source, as a baseline. Its object lies between
/// the relative and the iterative relative object.
///
/// There are two classes: problem.object (lambda = 0) and all other labels (lambda = 1). A state is
/// (h, lambda). In each round every cell takes the greatest of its own state and (min(h, kappa),
/// lambda) of its neighbours. Ties go to the background. Rounds are repeated until no state
/// changes. The source leaves the order of updates inside a round to the hardware. Here a round
/// reads only the states of the previous round, so the answer is reproducible. If problem.object is
/// 0, each label is processed in turn.
///
/// Throws Cancelled. Source: Y. Zhuge, K. C. Ciesielski, J. K. Udupa, R. W. Miller, Med. Phys.
/// 40(1), 2013, Algorithms 1 and 3.
[[nodiscard]] Answer porfc_by_rounds(const Problem& problem, Context& context);

/// Computes P-RFC, the source's parallel algorithm for the relative object. Runs P-ORFC once for
/// each label with only its seeds, which gives the strength to them. A cell gets the label of the
/// greatest strength, or none if several are equal. Exact: equals rfc_by_dijkstra. This is the
/// baseline for rfc_by_tiles. Its time is about that of P-ORFC times the number of labels.
///
/// Throws Cancelled. Source: as above, Algorithm 4, there for an object and its background.
[[nodiscard]] Answer prfc_by_rounds(const Problem& problem, Context& context);

}  // namespace seedwave::fuzzy
