// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

namespace seedwave::fuzzy {

struct TileKernel;

/// Computes iterative relative fuzzy connectedness, for any number of labels, in two monotone
/// passes on bricks.
///
/// Pass 1 computes the fixpoint of the strength, h(c) = max min(h(e), kappa(c, e)). Pass 2 keeps h
/// fixed and floods the labels along optimal edges. In a single pass, a label that arrived early
/// with a lower strength could remain, so its result would depend on timing. Each of the two passes
/// has one fixpoint. The result is bitwise equal to that of irfc_by_dijkstra() for any number of
/// threads.
///
/// The state is kept in the context's cache. If seeds were only added since the last run on the
/// same affinities (added_seeds.h), the run continues from it; see LabelBricks::regrow().
///
/// Respects the context's memory limit, in slabs if necessary (slabs.h), and then keeps nothing for
/// the next run. Throws UnavailableError if the limit is too small for any slab.
///
/// Memory without a limit, with faces (4, 6): at most 12 bytes per reached voxel besides the image,
/// including the answer. About 4 of these remain in the cache. Throws Cancelled within a few
/// milliseconds of the stop; then nothing is kept.
[[nodiscard]] Answer irfc_by_tiles(const Problem& problem, Context& context);

/// Computes relative fuzzy connectedness by pass 1 alone, once per label. The result is bitwise
/// equal to that of rfc_by_dijkstra(). Continues from a former run in the same way, separately for
/// each label. Up to four labels are kept.
[[nodiscard]] Answer rfc_by_tiles(const Problem& problem, Context& context);

/// Run the same two algorithms with a given kernel, for tests and measurements.
[[nodiscard]] Answer irfc_on_bricks(const Problem& problem, const TileKernel& kernel,
                                    Context& context);
[[nodiscard]] Answer rfc_on_bricks(const Problem& problem, const TileKernel& kernel,
                                   Context& context);

}  // namespace seedwave::fuzzy
