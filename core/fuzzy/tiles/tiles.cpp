// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/tiles/tiles.h"

#include "core/fuzzy/added_seeds.h"
#include "core/fuzzy/answer.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/tiles/affinity_bricks.h"
#include "core/fuzzy/tiles/edge_bricks.h"
#include "core/fuzzy/tiles/label_bricks.h"
#include "core/fuzzy/tiles/slabs_on_bricks.h"
#include "core/fuzzy/tiles/strength_bricks.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace seedwave::fuzzy {
namespace {

/// Key of the one cache entry that a run leaves for the next one. This also bounds what runs of
/// this solver keep.
constexpr const char* kCacheKey = "fuzzy tiles";

/// Largest number of labels whose strengths are kept, at 2.75 bytes per voxel each.
constexpr std::size_t kMostKeptLabels = 4;

struct KeptRun {
  GrownFrom from;
  /// For irfc: the strengths to all seeds, and the labels.
  std::unique_ptr<StrengthBricks> strength;
  std::unique_ptr<LabelBricks> labels;
  /// For afc and rfc: the strengths to each label's seeds.
  std::map<Label, std::unique_ptr<StrengthBricks>> by_label;
  /// Set if fronts crawl on these affinities, so the bucket queue is faster.
  bool crawls = false;

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = from.seeds.size() * sizeof(Seed);
    if (strength) sum += strength->bytes();
    if (labels) sum += labels->bytes();
    for (const auto& [label, bricks] : by_label)
      sum += bricks->bytes();
    return sum;
  }
};

/// Takes the last run out of the cache. A change can end halfway, by a stop or by lack of memory,
/// and no other run may find that state.
std::shared_ptr<KeptRun> take_kept(Context& context) {
  auto kept = context.cache().take<KeptRun>(kCacheKey);
  return kept ? kept : std::make_shared<KeptRun>();
}

void keep(const Problem& problem, const std::shared_ptr<KeptRun>& run, Context& context) {
  if (problem.affinity_key.empty()) return;  // cannot match a later run
  run->from = grown_from(problem);
  context.cache().put(kCacheKey, run, run->bytes());
}

/// Returns freed bricks to the system before the answer is allocated. The allocator would keep
/// them, and the peak would be 13 bytes per voxel instead of 9.
void return_freed_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

/// Updates a kept irfc to the problem, or computes a new one. Returns false if the front crawls.
bool grow(const Problem& problem, KeptRun& run, AffinityBricks& affinities, Context& context) {
  SeedDifference difference;
  if (run.strength && run.labels) difference = seed_difference(run.from, problem);
  if (difference.change == SeedChange::None) return true;
  const std::vector<Label> labels = labels_of(problem.seeds);
  if (difference.change == SeedChange::Other) {
    run = {};  // frees its memory first
    run.strength = std::make_unique<StrengthBricks>(affinities.grid(), affinities.steps());
    difference.added = problem.seeds;
  }
  {
    const auto stage = context.stage("propagate");
    if (run.strength->grow(difference.added, affinities, context) ==
        StrengthBricks::Outcome::Crawls) {
      return false;
    }
  }
  const auto stage = context.stage("labels");
  const SettledStrength settled{*run.strength, affinities};
  if (run.labels && std::ranges::equal(run.labels->known_labels(), labels)) {
    run.labels->regrow(problem.seeds, difference.added, settled, context);
    return true;
  }
  run.labels.reset();
  run.labels = std::make_unique<LabelBricks>(affinities.grid(), affinities.steps(), labels);
  run.labels->grow(problem.seeds, settled, context);
  return true;
}

/// Abandons a run and uses the bucket queue. The next run with the same affinities uses the queue
/// from the start.
Answer by_queue(Solver solver, const Problem& problem, KeptRun& run, Context& context) {
  run = {};
  return_freed_memory();
  Answer answer = solver(problem, context);
  const auto kept = std::make_shared<KeptRun>();
  kept->crawls = true;
  keep(problem, kept, context);
  return answer;
}

[[nodiscard]] bool known_to_crawl(const Problem& problem, const KeptRun& run) {
  return run.crawls && run.from.affinity_key == problem.affinity_key;
}

SlabGrid slabs_of(const Problem& problem, Passes passes, const Context& context) {
  const SlabDemand demand = demand_of(problem);
  const Geometry& geometry = problem.scene.geometry;
  return slabs_for(context, geometry.size, slab_bytes_on_bricks(demand),
                   fixed_bytes_on_bricks(passes, geometry.voxel_count(), demand));
}

}  // namespace

Answer irfc_by_tiles(const Problem& problem, Context& context) {
  if (context.in_parts()) {
    return irfc_in_slabs(problem, slab_solver_on_bricks(best_kernel()),
                         slabs_of(problem, Passes::Irfc, context), context);
  }
  return irfc_on_bricks(problem, best_kernel(), context);
}

Answer rfc_by_tiles(const Problem& problem, Context& context) {
  if (context.in_parts()) {
    return rfc_in_slabs(problem, slab_solver_on_bricks(best_kernel()),
                        slabs_of(problem, Passes::Rfc, context), context);
  }
  return rfc_on_bricks(problem, best_kernel(), context);
}

Answer irfc_on_bricks(const Problem& problem, const TileKernel& kernel, Context& context) {
  const std::shared_ptr<KeptRun> run = take_kept(context);
  run->by_label.clear();
  bool crawls = known_to_crawl(problem, *run);
  if (!crawls) {
    AffinityBricks affinities(problem, kernel);
    crawls = !grow(problem, *run, affinities, context);
  }  // frees the affinities before the answer is allocated
  if (crawls) return by_queue(irfc_by_dijkstra, problem, *run, context);
  keep(problem, run, context);
  const auto stage = context.stage("labels");
  return_freed_memory();
  Answer answer;
  parallel_for(context, 2, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t plane = begin; plane < end; ++plane) {
      if (plane == 0) answer.labels = run->labels->labels(kernel, context);
      if (plane == 1) answer.strength = run->strength->strength(context);
    }
  });
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

Answer rfc_on_bricks(const Problem& problem, const TileKernel& kernel, Context& context) {
  const auto stage = context.stage("propagate");
  const std::vector<Label> labels = labels_of(problem.seeds);
  const std::shared_ptr<KeptRun> run = take_kept(context);
  if (known_to_crawl(problem, *run)) return by_queue(rfc_by_dijkstra, problem, *run, context);
  run->crawls = false;
  run->strength.reset();
  run->labels.reset();
  const bool kept = labels.size() <= kMostKeptLabels && !problem.affinity_key.empty();
  if (!kept || run->from.affinity_key != problem.affinity_key) run->by_label.clear();
  std::optional<AffinityBricks> affinities(std::in_place, problem, kernel);
  Answer answer = empty_answer(problem.scene.geometry.voxel_count());
  std::unique_ptr<StrengthBricks> scratch;
  for (const Label label : labels) {
    const std::vector<Seed> seeds = seeds_of(problem.seeds, label);
    std::unique_ptr<StrengthBricks>& strength = kept ? run->by_label[label] : scratch;
    // Each label is kept separately: painting over another label's stroke restarts only that label.
    SeedDifference difference;
    if (kept && strength) difference = seed_difference(seeds_of(run->from.seeds, label), seeds);
    if (difference.change == SeedChange::Other) {
      if (!strength) {
        strength = std::make_unique<StrengthBricks>(affinities->grid(), affinities->steps());
      }
      strength->forget();
      difference.added = seeds;
    }
    if (strength->grow(difference.added, *affinities, context) == StrengthBricks::Outcome::Crawls) {
      scratch.reset();
      affinities.reset();
      answer = {};
      return by_queue(rfc_by_dijkstra, problem, *run, context);
    }
    join_relative(label, strength->strength(context), answer);
  }
  if (kept) {
    std::erase_if(run->by_label, [&](const auto& entry) {
      return !std::binary_search(labels.begin(), labels.end(), entry.first);
    });
    keep(problem, run, context);
  }
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

}  // namespace seedwave::fuzzy
