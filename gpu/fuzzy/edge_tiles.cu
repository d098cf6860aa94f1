// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/answer.h"
#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/edge_tiles.cuh"
#include "gpu/fuzzy/edge_tiles.h"
#include "gpu/fuzzy/irfc_on_planes.h"
#include "gpu/fuzzy/relative.cuh"
#include "gpu/fuzzy/run.h"

#include <cassert>
#include <type_traits>

namespace seedwave::gpu {
namespace {

using Plane = DeviceBuffer<std::uint16_t>;

template <typename Tiles>
void grow(const Tiles& tiles, Context& context, const Stream& stream) {
  DeviceQueue queue(tiles.tile_count(), stream);
  queue.queue_all(stream);
  run_tiles(queue, tiles, context, stream);
}

/// Calls solve(std::integral_constant<int, steps ahead>).
template <typename Solve>
void with_steps(const DeviceAffinity& affinity, const Solve& solve) {
  switch (affinity.steps.count) {
    case 4:
      return solve(std::integral_constant<int, 4>());
    case 9:
      return solve(std::integral_constant<int, 9>());
    default:
      assert(affinity.steps.count == 13);
      return solve(std::integral_constant<int, 13>());
  }
}

void grow_strength(const DeviceAffinity& affinity, Plane& strength, Context& context,
                   const Stream& stream) {
  with_steps(affinity, [&](auto ahead) {
    grow(StrengthEdgeTiles<ahead>(affinity, strength.data()), context, stream);
  });
}

void grow_labels(const DeviceAffinity& affinity, const Plane& strength, Plane& labels,
                 Context& context, const Stream& stream) {
  with_steps(affinity, [&](auto ahead) {
    grow(LabelEdgeTiles<ahead>(affinity, strength.data(), labels.data()), context, stream);
  });
}

}  // namespace

fuzzy::Answer rfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context) {
  Run run(problem, context);
  const auto affinity = affinity_on_device(problem, context, run.stream, run.clock);
  run.clock.begin("propagate");
  auto best = run.zeros();
  auto owner = run.zeros();
  for (const std::uint16_t label : fuzzy::labels_of(problem.seeds)) {
    auto strength = run.zeros();
    run.seeds.mark_classes(label, fuzzy::kFullStrength, 0, run.grid, strength, run.stream);
    grow_strength(*affinity, strength, context, run.stream);
    join_relative(strength, label, best, owner, run.stream);
  }
  run.seeds.mark_labels(run.grid, owner, run.stream);
  return run.download(owner, best);
}

fuzzy::Answer irfc_on_edge_tiles(const fuzzy::Problem& problem, Context& context) {
  return irfc_on_planes(
      problem, context,
      [&](const DeviceAffinity& affinity, Plane& strength, const Run& run) {
        grow_strength(affinity, strength, context, run.stream);
      },
      [&](const DeviceAffinity& affinity, const Plane& strength, Plane& labels, const Run& run) {
        grow_labels(affinity, strength, labels, context, run.stream);
      });
}

std::int64_t edge_tiles_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  constexpr std::int64_t kPlanes = 3;  // rfc: strength, best, owner
  const Grid grid = Grid::of(geometry);
  const bool planar = Steps::ahead(connectivity).count == 4;
  const std::int64_t tiles = planar ? SharedTile<PlanarShape>::tile_count(geometry.size)
                                    : SharedTile<SolidShape>::tile_count(geometry.size);
  return affinity_bytes(geometry, connectivity, masked) +
         (grid.cells() * kPlanes + most_block_cells(grid)) * 2 + DeviceQueue::bytes(tiles);
}

}  // namespace seedwave::gpu
