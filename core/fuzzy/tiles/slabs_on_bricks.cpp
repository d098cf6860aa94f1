// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/slabs_on_bricks.h"

#include "core/fuzzy/answer.h"
#include "core/fuzzy/tiles/affinity_bricks.h"
#include "core/fuzzy/tiles/label_bricks.h"
#include "core/fuzzy/tiles/strength_bricks.h"

#include <algorithm>
#include <bit>

namespace seedwave::fuzzy {
namespace {

/// Computes the strengths of a slab from its seeds and sources.
void grow(const Problem& problem, const std::vector<Source>& sources, AffinityBricks& affinities,
          StrengthBricks& strength, Context& context) {
  std::vector<Source> all;
  all.reserve(sources.size() + problem.seeds.size());
  all = sources;
  for (const Seed& seed : problem.seeds)
    all.push_back({seed.offset, kFullStrength});
  strength.grow(all, affinities, context);
}

}  // namespace

SlabSolver slab_solver_on_bricks(const TileKernel& kernel) {
  SlabSolver solver;
  solver.strengths = [&kernel](const Problem& problem, const std::vector<Source>& sources,
                               Context& context) {
    StrengthBricks strength(BrickGrid(problem.scene.geometry), BrickSteps(problem.connectivity));
    {
      AffinityBricks affinities(problem, kernel);
      grow(problem, sources, affinities, strength, context);
    }  // frees the affinities before the result is allocated
    return strength.strength(context);
  };
  solver.labels = [&kernel](const Problem& problem, const std::vector<Source>& sources,
                            const std::vector<Seed>& known, const std::vector<Label>& labels,
                            Context& context) {
    AffinityBricks affinities(problem, kernel);
    StrengthBricks strength(affinities.grid(), affinities.steps());
    grow(problem, sources, affinities, strength, context);
    std::vector<Seed> all;
    all.reserve(known.size() + problem.seeds.size());
    all = known;
    all.insert(all.end(), problem.seeds.begin(), problem.seeds.end());
    LabelBricks bricks(affinities.grid(), affinities.steps(), labels);
    bricks.grow(all, {strength, affinities}, context);
    return bricks.labels(kernel, context, LabelBricks::Ties::Kept);
  };
  return solver;
}

SlabDemand demand_of(const Problem& problem) {
  return {problem.connectivity, labels_of(problem.seeds).size(), problem.tables.objects.size(),
          problem.seeds.size()};
}

BytesForSize slab_bytes_on_bricks(const SlabDemand& demand) {
  const BrickSteps steps(demand.connectivity);
  const auto label_planes = 2 * std::max<std::int64_t>(1, std::bit_width(demand.labels - 1));
  const auto edge_planes = static_cast<std::int64_t>(steps.all.size());
  const bool faces_only = steps.faces_only;
  return [=](const Index3& size) {
    // Bytes per brick in lists, queues and pools.
    constexpr std::int64_t kOfABrick = 1024;
    // Bytes per cell: intensities, mask and result.
    constexpr std::int64_t kOfACell = 2 + 1 + 2;
    // Bytes per halo cell: source and label, each alone, among all, and by brick.
    constexpr std::int64_t kKnown = 6 * 16;
    const std::int64_t depth = size[2] == 1 ? 1 : kSide;
    const std::int64_t cells = size[0] * size[1] * size[2];
    const std::int64_t layers = size[2] > 1 ? size[2] : size[1] > 1 ? size[1] : size[0];
    const std::int64_t bricks = ((size[0] + kSide - 1) / kSide) * ((size[1] + kSide - 1) / kSide) *
                                ((size[2] + depth - 1) / depth);
    const std::int64_t cells_of_brick = depth * kPlane;
    std::int64_t levels = cells_of_brick + 4 * depth * kSide + (depth == 1 ? 0 : 2 * kPlane);
    if (faces_only) {
      levels += 2 * depth * (kPlane + kSide) + (depth == 1 ? 0 : (depth + 1) * kPlane);
    }
    const std::int64_t bits = depth * (edge_planes + label_planes) + 6 * label_planes;
    return bricks * (2 * levels + bits * static_cast<std::int64_t>(sizeof(BitPlane)) + kOfABrick) +
           cells * kOfACell + 2 * (cells / layers) * kKnown;
  };
}

std::int64_t fixed_bytes_on_bricks(Passes passes, std::int64_t cells, const SlabDemand& demand) {
  constexpr std::int64_t kTable = 65536 * 4;
  // Bytes of the buckets of a queue by strength, and of growing lists.
  constexpr std::int64_t kQueue = 1 << 19;
  // Bytes per seed: in the slab, as a source, by brick, and one more copy.
  constexpr std::int64_t kOfASeed = 5 * 16;
  return static_cast<std::int64_t>(demand.objects + 1) * kTable + kQueue +
         static_cast<std::int64_t>(demand.seeds) * kOfASeed +
         (passes == Passes::Rfc ? 2 * cells : 0);
}

}  // namespace seedwave::fuzzy
