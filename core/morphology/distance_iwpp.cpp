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

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// A visit computes the states of its cells apart.
constexpr std::int64_t kBytesEach = sizeof(NearestVoxelRule::State);

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

  SlabSides visit(const SlabPart& part, Context& own) {
    const auto seen = states_.look(part, own);
    const Slab& layers = part.layers;
    const Geometry grid = crop(geometry_, slabs_.box(layers.halo_begin, layers.halo_end));
    const std::int64_t count = grid.voxel_count();
    std::vector<State> solved(seen.get(), seen.get() + count);
    Context::Settings one_order = own.for_part(0.0, 1.0);
    one_order.threads = 1;
    Context alone(std::move(one_order));
    run_rule(rule_.on_part(layers.halo_begin * slabs_.layer_cells()), grid.size, connectivity_,
             std::span(solved), alone);
    return states_.store(part, solved, seen, own);
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
