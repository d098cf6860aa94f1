// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/parallel/context.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slabs.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave::fuzzy {

/// How a slab is solved, on any backend: both passes of connectedness, from what is known of the
/// cells around. The problem is that of slab and halo; its seeds are those that lie there.
struct SlabSolver {
  /// The strength of each cell to the seeds and sources.
  std::function<std::vector<std::uint16_t>(const Problem&, const std::vector<Source>& sources,
                                           Context&)>
      strengths;
  /// The labels that reach each cell along optimal edges, from the seeds and from `known` cells
  /// (their label, or kTie): 0 none, kTie several. `sources` are as above, at rest; `labels` are
  /// all that there are anywhere.
  std::function<std::vector<std::uint16_t>(const Problem&, const std::vector<Source>& sources,
                                           const std::vector<Seed>& known,
                                           const std::vector<std::uint16_t>& labels, Context&)>
      labels;
};

/// irfc slab by slab: strengths until no slab gains, then labels. The bits of the whole.
/// Throws: what the solver throws, Cancelled.
[[nodiscard]] Answer irfc_in_slabs(const Problem& problem, const SlabSolver& solver,
                                   const SlabGrid& slabs, Context& context,
                                   const NextSlab& next = up_and_down());
/// rfc, and with one label afc: strengths alone, once a label.
[[nodiscard]] Answer rfc_in_slabs(const Problem& problem, const SlabSolver& solver,
                                  const SlabGrid& slabs, Context& context,
                                  const NextSlab& next = up_and_down());

}  // namespace seedwave::fuzzy
