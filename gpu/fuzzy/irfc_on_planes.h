// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/run.h"

namespace seedwave::gpu {

/// Solves irfc over one plane of affinities per step ahead: first strengths to all seeds, then
/// labels along optimal edges. grow_strength(affinity, strength, run) and grow_labels(affinity,
/// strength, labels, run) iterate a plane with marked seeds to its fixpoint.
template <typename GrowStrength, typename GrowLabels>
[[nodiscard]] fuzzy::Answer irfc_on_planes(const fuzzy::Problem& problem, Context& context,
                                           const GrowStrength& grow_strength,
                                           const GrowLabels& grow_labels) {
  Run run(problem, context);
  const auto affinity = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  auto strength = run.zeros();
  run.seeds.mark(fuzzy::kFullStrength, run.grid, strength, run.stream);
  grow_strength(*affinity, strength, run);
  run.clock.begin("labels");
  auto labels = run.zeros();
  run.seeds.mark_labels(run.grid, labels, run.stream);
  grow_labels(*affinity, strength, labels, run);
  finish_labels(labels, run);
  return run.download(labels, strength);
}

}  // namespace seedwave::gpu
