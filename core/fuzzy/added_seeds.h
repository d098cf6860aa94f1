// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// What a finished run grew from: all that its strengths and labels depend on.
struct GrownFrom {
  std::string affinity_key;
  std::vector<Seed> seeds;  // sorted by offset
};

[[nodiscard]] GrownFrom grown_from(const Problem& problem);

/// How a problem differs from the one that a finished run has grown from.
enum class SeedChange {
  /// Not at all: the answer stands.
  None,
  /// Seeds were added, on voxels that had none; all others have the label that they had. Strengths
  /// only rise, so pass 1 may go on from the former ones. Of the labels those may change that hang
  /// on a voxel whose optimal predecessors changed.
  Added,
  /// Affinities changed, or a seed was taken away or painted over: only a new run is right.
  Other,
};

struct SeedDifference {
  SeedChange change = SeedChange::Other;
  std::vector<Seed> added{};  // sorted by offset; only with SeedChange::Added
};

/// The one place that decides whether a run may go on from the one before it, on every backend.
///
/// A problem without an affinity key is never known again. Cost: linear in the seeds.
[[nodiscard]] SeedDifference seed_difference(const GrownFrom& former, const Problem& problem);

/// The same of two lists of seeds, sorted by offset, where the affinities are known to be equal:
/// for those who keep a state for each label.
[[nodiscard]] SeedDifference seed_difference(const std::vector<Seed>& former,
                                             const std::vector<Seed>& seeds);

}  // namespace seedwave::fuzzy
