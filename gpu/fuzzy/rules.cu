// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/answer.h"
#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/edge_rules.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/relative.cuh"
#include "gpu/fuzzy/rules.h"
#include "gpu/fuzzy/run.h"
#include "gpu/wavefront/rule_tiles.cuh"

namespace seedwave::gpu {
namespace {

EdgeAffinities edges_of(const DeviceAffinity& affinity) {
  return {affinity.planes.data(), affinity.grid.cells(), affinity.steps.count};
}

/// To the fixpoint over all cells of the run's grid.
template <typename Rule>
void grow(const Rule& rule, const fuzzy::Problem& problem, const Run& run,
          DeviceBuffer<std::uint16_t>& states, Context& context) {
  run_rule(rule, {run.grid.pitch, run.grid.ny, run.grid.nz}, problem.connectivity, states, context,
           run.stream);
}

}  // namespace

fuzzy::Answer rfc_by_rules(const fuzzy::Problem& problem, Context& context) {
  Run run(problem, context);
  const auto affinity = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  auto best = run.zeros();
  auto owner = run.zeros();
  for (const std::uint16_t label : fuzzy::labels_of(problem.seeds)) {
    auto strength = run.zeros();
    run.seeds.mark_classes(label, fuzzy::kFullStrength, 0, run.grid, strength, run.stream);
    grow(StrengthOverEdges{edges_of(*affinity)}, problem, run, strength, context);
    join_relative(strength, label, best, owner, run.stream);
  }
  run.seeds.mark_labels(run.grid, owner, run.stream);
  return run.download(owner, best);
}

fuzzy::Answer irfc_by_rules(const fuzzy::Problem& problem, Context& context) {
  Run run(problem, context);
  const auto affinity = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  auto strength = run.zeros();
  run.seeds.mark(fuzzy::kFullStrength, run.grid, strength, run.stream);
  grow(StrengthOverEdges{edges_of(*affinity)}, problem, run, strength, context);
  run.clock.begin("labels");
  auto labels = run.zeros();
  run.seeds.mark_labels(run.grid, labels, run.stream);
  grow(LabelOverEdges{edges_of(*affinity), strength.data()}, problem, run, labels, context);
  finish_labels(labels, run);
  return run.download(labels, strength);
}

std::int64_t rules_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  constexpr std::int64_t kPlanes = 3;  // rfc's: strength, best, owner
  const Grid grid = Grid::of(geometry);
  return affinity_bytes(geometry, connectivity, masked) +
         (grid.cells() * kPlanes + most_block_cells(grid)) * 2 +
         DeviceQueue::bytes(grid.cells() / 256);
}

}  // namespace seedwave::gpu
