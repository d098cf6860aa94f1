// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed_slabs_on_tiles.h"

#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>

namespace seedwave {
namespace watershed {
namespace {

template <typename Cell>
BytesForSize slab_bytes(Connectivity connectivity) {
  return [connectivity](const Index3& size) {
    // Bytes per tile of a rule: its published shell and its place in the queue.
    constexpr std::int64_t kShellInPlane = 1536;
    constexpr std::int64_t kShell = 6144;
    // Bytes per cell of the second pass: altitude, takes, hops.
    constexpr std::int64_t kOfACell = 4 + 1 + 4;
    const std::int64_t cells = size[0] * size[1] * size[2];
    const TileGrid tiles = rule_grid(size, connectivity);
    const std::int64_t shell = tiles.depth() == 1 ? kShellInPlane : kShell;
    const std::int64_t first = GeodesicTiles<Cell>::bytes(size, connectivity) +
                               2 * cells * static_cast<std::int64_t>(sizeof(Cell));
    return std::max(first, cells * kOfACell + tiles.tile_count() * shell);
  };
}

BytesForSize slab_bytes(VoxelType type, Connectivity connectivity) {
  if (bytes_of(type) == 1) return slab_bytes<std::uint8_t>(connectivity);
  if (bytes_of(type) == 2) return slab_bytes<std::uint16_t>(connectivity);
  return slab_bytes<std::int32_t>(connectivity);
}

}  // namespace

WatershedSlabSolver slab_solver_on_tiles() {
  WatershedSlabSolver solver;
  solver.altitudes = reconstruct_by_tiles;
  solver.hops = [](const WatershedSlab& slab, std::span<std::uint32_t> hops, Context& context) {
    run_rule(HopsRule<std::int32_t, std::uint32_t>{slab.altitudes.data(), slab.takes.data()},
             slab.size, slab.connectivity, hops, context);
  };
  solver.basins = [](const Index3& size, Connectivity connectivity,
                     std::span<const std::uint32_t> predecessors, std::span<std::uint16_t> basins,
                     Context& context) {
    run_rule(BasinRule{predecessors.data()}, size, connectivity, basins, context);
  };
  return solver;
}

WatershedLabels labels_in_slabs(const WatershedProblem& problem, Context& context) {
  const Geometry& geometry = problem.image.geometry();
  const VoxelType type = problem.image.type();
  const SlabGrid slabs =
      slabs_within(context.memory(), geometry.size, slab_bytes(type, problem.connectivity),
                   watershed_bytes_between(geometry, type));
  return watershed_in_slabs(problem, slab_solver_on_tiles(), slabs, context);
}

}  // namespace watershed

std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type,
                                   Connectivity connectivity) {
  return least_budget(geometry.size, watershed::slab_bytes(type, connectivity),
                      watershed_bytes_between(geometry, type));
}

}  // namespace seedwave
