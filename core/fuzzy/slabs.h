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

/// Solves a slab on the context's device or the CPU, called by several workers at once: both passes
/// of connectedness, from the known cells around it. The problem is that of slab and halo, with the
/// seeds that lie there.
struct SlabSolver {
  /// Returns the strength of each cell to the seeds and sources.
  std::function<std::vector<std::uint16_t>(const Problem&, const std::vector<Source>& sources,
                                           Context&)>
      strengths;
  /// Returns the labels that reach each cell along optimal edges, from the seeds and from `known`
  /// cells (their label, or kTie): 0 for none, kTie for several. `sources` are as above, at the
  /// fixpoint. `labels` are all labels of the whole problem.
  std::function<std::vector<std::uint16_t>(const Problem&, const std::vector<Source>& sources,
                                           const std::vector<Seed>& known,
                                           const std::vector<Label>& labels, Context&)>
      labels;
};

/// Computes irfc slab by slab: strengths until no slab changes, then labels. The result is bitwise
/// equal to that of the whole image. Of ranks the first one has it. Throws Cancelled, and whatever
/// the solver throws.
[[nodiscard]] Answer irfc_in_slabs(const Problem& problem, const SlabSolver& solver,
                                   const SlabGrid& slabs, Context& context,
                                   const NextSlab& next = {});
/// Computes rfc, or afc with one label, by one pass of strengths per label.
[[nodiscard]] Answer rfc_in_slabs(const Problem& problem, const SlabSolver& solver,
                                  const SlabGrid& slabs, Context& context,
                                  const NextSlab& next = {});

}  // namespace seedwave::fuzzy
