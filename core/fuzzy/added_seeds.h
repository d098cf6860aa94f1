// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"

#include <string>
#include <vector>

namespace seedwave::fuzzy {

/// Identifies the input of a finished run: everything that its strengths and labels depend on.
struct GrownFrom {
  std::string affinity_key;
  std::vector<Seed> seeds;  // sorted by offset
};

[[nodiscard]] GrownFrom grown_from(const Problem& problem);

/// Describes how a problem differs from the problem of a finished run.
enum class SeedChange {
  /// No difference: the former answer is valid.
  None,
  /// Seeds were added on voxels that had none, and all others keep their label. Strengths only
  /// rise, so pass 1 can continue from the former ones. Labels can change only at voxels whose
  /// chain of optimal predecessors changed.
  Added,
  /// Affinities changed, or a seed was removed or relabelled: a new run is required.
  Other,
};

struct SeedDifference {
  SeedChange change = SeedChange::Other;
  std::vector<Seed> added{};  // sorted by offset; only with SeedChange::Added
};

/// Decides, for every backend, whether a run can continue from the previous one.
///
/// A problem without an affinity key never matches. Cost: linear in the number of seeds.
[[nodiscard]] SeedDifference seed_difference(const GrownFrom& former, const Problem& problem);

/// Compares two lists of seeds, sorted by offset, whose affinities are known to be equal. For
/// callers that keep a state per label.
[[nodiscard]] SeedDifference seed_difference(const std::vector<Seed>& former,
                                             const std::vector<Seed>& seeds);

}  // namespace seedwave::fuzzy
