// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

namespace seedwave::fuzzy {

struct TileKernel;

/// Iterative relative fuzzy connectedness, any number of labels, in two monotone passes on bricks.
///
/// Pass 1 brings the strength to its fixpoint, h(c) = max min(h(e), kappa(c, e)); pass 2, h frozen,
/// floods the labels along optimal edges. One pass that carries label and strength together would
/// let a label that arrived early with a worse strength stay behind; so its result would depend on
/// timing. Each of these has one fixpoint: the same bits as irfc_by_dijkstra() for any thread
/// count.
///
/// What it grew stays in the context's cache, and where seeds were only added since the last run on
/// the same affinities (added_seeds.h), it goes on from there: see LabelBricks::regrow().
///
/// Keeps to the context's memory, in slabs where it must (slabs.h), and then leaves nothing for the
/// next run. Throws UnavailableError where that is too little for any slab.
///
/// Memory without that: with faces (4, 6) at most 12 bytes per voxel that is reached beyond the
/// image, the answer included; of these some 4 stay in the cache. Throws: Cancelled, within a few
/// milliseconds of the stop; then nothing is kept.
[[nodiscard]] Answer irfc_by_tiles(const Problem& problem, Context& context);

/// Relative fuzzy connectedness by pass 1 alone, once a label: the same bits as rfc_by_dijkstra().
/// Goes on in the same way, each label by itself; up to four labels are kept.
[[nodiscard]] Answer rfc_by_tiles(const Problem& problem, Context& context);

/// The same two with a kernel of the caller's choice, for tests and measurements.
[[nodiscard]] Answer irfc_on_bricks(const Problem& problem, const TileKernel& kernel,
                                    Context& context);
[[nodiscard]] Answer rfc_on_bricks(const Problem& problem, const TileKernel& kernel,
                                   Context& context);

}  // namespace seedwave::fuzzy
