// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/image/connectivity.h"
#include "core/image/crop.h"
#include "core/morphology/distance.h"
#include "core/morphology/distance_envelope.h"
#include "core/parallel/shared_items.h"
#include "core/wavefront/nearest_rule.h"
#include "core/wavefront/partitions/settle_slabs.h"
#include "core/wavefront/partitions/slab_states.h"
#include "core/wavefront/rule_tiles.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Bytes of a cell in a visit: its state, and more than its share of what tiles publish.
constexpr std::int64_t kBytesEach = 12;

/// The rule on the cells of a part of the grid, with the offsets of the whole in its states. Cells
/// of the halo stay as they are.
struct NearestOnPart {
  using State = NearestVoxelRule::State;

  NearestVoxelRule whole;
  std::int64_t first;      // offset in the whole grid of the part's first cell
  std::int64_t own_begin;  // cells of the part that are not of its halo
  std::int64_t own_end;

  [[nodiscard]] State offer(State from, std::int64_t to) const {
    return whole.transfer(from, {.to = first + to});
  }
  [[nodiscard]] State transfer(State from, const Edge& edge) const {
    const bool is_own = own_begin <= edge.to && edge.to < own_end;
    return is_own ? offer(from, edge.to) : NearestVoxelRule::kNone;
  }
  [[nodiscard]] static State join(State a, State b) { return NearestVoxelRule::join(a, b); }
};

/// The nearest background voxels in progress: each slab begins with its own, and learns of others
/// from its halo.
class NearestInSlabs {
 public:
  using State = NearestVoxelRule::State;

  NearestInSlabs(const DistanceProblem& problem, const SlabGrid& slabs, Context& context)
      : geometry_(problem.objects.geometry()),
        rule_(NearestVoxelRule::on(geometry_.size, problem.scale.weights)),
        slabs_(slabs),
        connectivity_(geometry_.is_2d() ? Connectivity::C8 : Connectivity::C26),
        objects_(problem.objects.voxels<std::uint8_t>()),
        cells_(large_array<State>(objects_.size())),
        states_(slabs, {cells_.get(), objects_.size()}, context,
                {.states = [this](std::int64_t first, std::int64_t end) { start(first, end); },
                 .is_last = true,
                 .inputs = {problem.objects.bytes()}}) {}

  /// The first rank has all nearest voxels and squares; in the others the run ends.
  NearestSources run(Context& context) {
    settle_slabs(
        states_, [&](const SlabPart& part, Context& own) { return visit(part, own); }, context);
    collect_states(states_, context);
    leave_to_first(context);
    NearestSources found;
    found.squared.resize(objects_.size());
    found.name.resize(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const State state = cells_[i];
      const bool none = state == NearestVoxelRule::kNone;
      found.name[i] = none ? -1 : NearestVoxelRule::voxel_of(state);
      found.squared[i] =
          none ? std::numeric_limits<double>::infinity()
               : rule_.square(static_cast<std::uint32_t>(i), NearestVoxelRule::voxel_of(state));
    }
    return found;
  }

 private:
  void start(std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i)
      cells_[i] = objects_[i] == 0 ? static_cast<State>(i) : NearestVoxelRule::kNone;
  }

  /// Solves the part beside its halo, and then offers the halo what it found. A neighbour is woken
  /// only by a state that was stored, and then lowers one of its own, or did so meanwhile: so there
  /// is an end, although states are forgotten. If the halo took part in the solve, each of two
  /// slabs might forget what the other was woken for.
  SlabSides visit(const SlabPart& part, Context& own) {
    auto draft = states_.draft(part, own);
    const std::span<State> states = draft.cells();
    const Slab& layers = part.layers;
    const std::int64_t layer = slabs_.layer_cells();
    const Geometry grid = crop(geometry_, slabs_.box(layers.halo_begin, layers.halo_end));
    const NearestOnPart rule{.whole = rule_,
                             .first = layers.halo_begin * layer,
                             .own_begin = (layers.begin - layers.halo_begin) * layer,
                             .own_end = (layers.end - layers.halo_begin) * layer};
    Context::Settings one_order = own.for_part(0.0, 1.0);
    one_order.threads = 1;
    Context alone(std::move(one_order));
    run_rule(rule, grid.size, connectivity_, states, alone);
    if (layers.halo_begin < layers.begin) offer_to_halo(rule, states, rule.own_begin, -layer);
    if (layers.end < layers.halo_end) offer_to_halo(rule, states, rule.own_end - layer, layer);
    return states_.store(part, draft, own);
  }

  /// From the own layer that begins at a cell, to the layer so many cells beyond.
  void offer_to_halo(const NearestOnPart& rule, std::span<State> states, std::int64_t begin,
                     std::int64_t beyond) const {
    const std::int64_t columns = slabs_.box(0, 1).hi[0];
    const std::int64_t rows = slabs_.layer_cells() / columns;
    const auto near = [](std::int64_t at, std::int64_t count) {
      return std::pair{std::max<std::int64_t>(at - 1, 0), std::min(at + 2, count)};
    };
    for (std::int64_t y = 0; y < rows; ++y) {
      const auto [first_row, end_row] = near(y, rows);
      for (std::int64_t x = 0; x < columns; ++x) {
        const auto [first_column, end_column] = near(x, columns);
        const std::int64_t to = begin + beyond + y * columns + x;
        for (std::int64_t row = first_row; row < end_row; ++row) {
          for (std::int64_t column = first_column; column < end_column; ++column) {
            const State from = states[begin + row * columns + column];
            states[to] = NearestOnPart::join(states[to], rule.offer(from, to));
          }
        }
      }
    }
  }

  const Geometry& geometry_;
  NearestVoxelRule rule_;
  const SlabGrid& slabs_;
  Connectivity connectivity_;
  std::span<const std::uint8_t> objects_;
  std::shared_ptr<State[]> cells_;
  SlabStates<State> states_;
};

}  // namespace

DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context) {
  const auto stage = context.stage("distance");
  const Geometry& geometry = problem.objects.geometry();
  // Offsets have 32 bits here.
  check_distance_fits(geometry, problem.form, NearestCells::Find);
  const SlabGrid slabs = slabs_for(context, geometry.size, [](const Index3& part) {
    return part[0] * part[1] * part[2] * kBytesEach;
  });
  const NearestSources found = NearestInSlabs(problem, slabs, context).run(context);
  return distance_map_of(found, problem, context);
}

}  // namespace seedwave
