// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/added_seeds.h"

#include <utility>

namespace seedwave::fuzzy {

GrownFrom grown_from(const Problem& problem) {
  return {problem.affinity_key, problem.seeds};
}

SeedDifference seed_difference(const std::vector<Seed>& former, const std::vector<Seed>& seeds) {
  std::vector<Seed> added;
  auto old = former.begin();
  for (const Seed& seed : seeds) {
    if (old == former.end() || seed.offset < old->offset) {
      added.push_back(seed);
      continue;
    }
    if (*old != seed) return {};  // the seed was removed or has another label
    ++old;
  }
  if (old != former.end()) return {};
  const SeedChange change = added.empty() ? SeedChange::None : SeedChange::Added;
  return {change, std::move(added)};
}

SeedDifference seed_difference(const GrownFrom& former, const Problem& problem) {
  if (problem.affinity_key.empty() || former.affinity_key != problem.affinity_key) return {};
  return seed_difference(former.seeds, problem.seeds);
}

}  // namespace seedwave::fuzzy
