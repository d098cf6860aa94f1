// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/slabs.h"

#include "core/fuzzy/answer.h"
#include "core/image/crop.h"
#include "core/parallel/shared_items.h"
#include "core/wavefront/partitions/slab_states.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>

namespace seedwave::fuzzy {
namespace {

using Levels = std::vector<std::uint16_t>;

/// A problem divided into slabs.
class Cut {
 public:
  Cut(const Problem& problem, const std::vector<Seed>& seeds, const SlabGrid& slabs)
      : problem_(problem), seeds_(seeds), slabs_(slabs) {}

  /// Returns these layers and their halo as a problem.
  [[nodiscard]] Problem problem_of(const Slab& slab) const {
    Problem local{.scene = {},
                  .tables = problem_.tables,
                  .connectivity = problem_.connectivity,
                  .seeds = {},
                  .object = problem_.object,
                  .affinity_key = problem_.affinity_key + ", layers " + std::to_string(slab.begin) +
                                  " to " + std::to_string(slab.end)};
    const Scene& scene = problem_.scene;
    local.scene.geometry = crop(scene.geometry, slabs_.box(slab.halo_begin, slab.halo_end));
    local.scene.grey =
        Volume(local.scene.geometry, part_of(scene.grey.voxels<std::uint16_t>(), slab));
    local.scene.mask = scene.mask ? std::make_shared<const std::vector<std::uint8_t>>(
                                        part_of(std::span<const std::uint8_t>(*scene.mask), slab))
                                  : nullptr;
    const std::int64_t first = slab.halo_begin * slabs_.layer_cells();
    const std::int64_t end = slab.halo_end * slabs_.layer_cells();
    auto seed = std::lower_bound(seeds_.begin(), seeds_.end(), first,
                                 [](const Seed& a, std::int64_t at) { return a.offset < at; });
    for (; seed != seeds_.end() && seed->offset < end; ++seed)
      local.seeds.push_back({seed->offset - first, seed->label});
    return local;
  }

  /// Calls body(cell) for the cells of the halo, with their offsets in layers and halo.
  template <typename Body>
  void for_halo(const Slab& slab, Body&& body) const {
    const std::int64_t layer = slabs_.layer_cells();
    for (std::int64_t cell = 0; cell < (slab.begin - slab.halo_begin) * layer; ++cell)
      body(cell);
    for (std::int64_t cell = (slab.end - slab.halo_begin) * layer;
         cell < (slab.halo_end - slab.halo_begin) * layer; ++cell)
      body(cell);
  }

  /// `strengths`: of layers and halo.
  [[nodiscard]] std::vector<Source> sources_of(const Slab& slab,
                                               const std::uint16_t* strengths) const {
    std::vector<Source> sources;
    for_halo(slab, [&](std::int64_t cell) {
      if (strengths[cell] != 0) sources.push_back({cell, strengths[cell]});
    });
    return sources;
  }

  /// Returns the states of layers and halo among those of all cells.
  [[nodiscard]] const std::uint16_t* of_layers(const Slab& slab, const Levels& all) const {
    return all.data() + slab.halo_begin * slabs_.layer_cells();
  }

 private:
  template <typename T>
  [[nodiscard]] std::vector<T> part_of(std::span<const T> cells, const Slab& slab) const {
    return {cells.begin() + slab.halo_begin * slabs_.layer_cells(),
            cells.begin() + slab.halo_end * slabs_.layer_cells()};
  }

  const Problem& problem_;
  const std::vector<Seed>& seeds_;
  const SlabGrid& slabs_;
};

/// Computes the strengths to `seeds`. `strengths` must be all 0.
void settle_strengths(const Problem& problem, const std::vector<Seed>& seeds,
                      const SlabSolver& solver, const SlabGrid& slabs, Levels& strengths,
                      Context& context, const NextSlab& next) {
  const Cut cut(problem, seeds, slabs);
  SlabStates<std::uint16_t> states(slabs, strengths, context,
                                   {.name = "strengths", .goes_on = GoesOn::FromFinal});
  settle_slabs(
      states,
      [&](const SlabPart& part, Context& own) {
        const auto seen = states.look(part, own);
        const std::vector<Source> sources = cut.sources_of(part.layers, seen.get());
        const Levels solved = solver.strengths(cut.problem_of(part.layers), sources, own);
        return states.store(part, solved, seen, own);
      },
      context, next);
}

/// Gives the layers of all ranks to the first one.
void collect_levels(Levels& levels, const SlabGrid& slabs, Context& context) {
  collect_items(context, std::span(levels), slabs.layers());
}

}  // namespace

Answer irfc_in_slabs(const Problem& problem, const SlabSolver& solver, const SlabGrid& slabs,
                     Context& context, const NextSlab& next) {
  Answer answer = empty_answer(problem.scene.geometry.voxel_count());
  {
    const auto stage = context.stage("propagate");
    settle_strengths(problem, problem.seeds, solver, slabs, answer.strength, context, next);
  }
  const auto stage = context.stage("labels");
  const std::vector<Label> labels = labels_of(problem.seeds);
  const Cut cut(problem, problem.seeds, slabs);
  SlabStates<std::uint16_t> states(
      slabs, answer.labels, context,
      {.name = "labels", .goes_on = GoesOn::FromFinal, .is_last = true});
  settle_slabs(
      states,
      [&](const SlabPart& part, Context& own) {
        const std::vector<Source> sources =
            cut.sources_of(part.layers, cut.of_layers(part.layers, answer.strength));
        const auto seen = states.look(part, own);
        std::vector<Seed> known;
        cut.for_halo(part.layers, [&](std::int64_t cell) {
          if (seen[cell] != 0) known.push_back({cell, seen[cell]});
        });
        const Levels solved =
            solver.labels(cut.problem_of(part.layers), sources, known, labels, own);
        return states.store(part, solved, seen, own);
      },
      context, next);
  collect_states(states, context);
  collect_levels(answer.strength, slabs, context);
  std::replace(answer.labels.begin(), answer.labels.end(), kTie, std::uint16_t{0});
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

Answer rfc_in_slabs(const Problem& problem, const SlabSolver& solver, const SlabGrid& slabs,
                    Context& context, const NextSlab& next) {
  const auto stage = context.stage("propagate");
  const std::int64_t cells = problem.scene.geometry.voxel_count();
  Answer answer = empty_answer(cells);
  for (const Label label : labels_of(problem.seeds)) {
    Levels strengths(static_cast<std::size_t>(cells));
    const std::vector<Seed> seeds = seeds_of(problem.seeds, label);
    settle_strengths(problem, seeds, solver, slabs, strengths, context, next);
    join_relative(label, strengths, answer);
  }
  collect_levels(answer.labels, slabs, context);
  collect_levels(answer.strength, slabs, context);
  keep_painted(problem.seeds, answer.labels);
  return answer;
}

}  // namespace seedwave::fuzzy
