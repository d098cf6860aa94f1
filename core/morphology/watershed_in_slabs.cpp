// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed_in_slabs.h"

#include "core/base/large_memory.h"
#include "core/image/connectivity.h"
#include "core/image/crop.h"
#include "core/image/large_labels.h"
#include "core/morphology/watershed_gates.h"
#include "core/morphology/watershed_rows.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/ranks.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/ordered_cells.h"
#include "core/wavefront/partitions/slab_states.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

using watershed::kFarKept;
using Hops = std::uint32_t;
constexpr std::int64_t kSlabCellsPerTask = 1 << 16;

/// Returns whether a byte holds the predecessors of a cell, a bit for each neighbour.
bool fits_a_byte(Connectivity connectivity) {
  return neighbour_steps(connectivity).size() <= 8;
}

/// Also a valid height: an unreached cell has no reached neighbour.
template <typename Voxel>
constexpr Voxel kHighest = std::numeric_limits<Voxel>::has_infinity
                               ? std::numeric_limits<Voxel>::infinity()
                               : std::numeric_limits<Voxel>::max();

/// A separate function: inside a larger one its loop is not vectorised.
template <typename Voxel>
[[gnu::noinline]] void set_start(const Voxel* f, const std::uint8_t* takes, std::int64_t count,
                                 Voxel* __restrict altitudes) {
  for (std::int64_t i = 0; i < count; ++i)
    altitudes[i] = takes[i] == 0 ? f[i] : kHighest<Voxel>;
}

template <typename Voxel>
class InSlabs {
 public:
  InSlabs(const WatershedProblem& problem, const WatershedSlabSolver& solver, const SlabGrid& slabs,
          const NextSlab& next)
      : problem_(problem),
        solver_(solver),
        slabs_(slabs),
        next_(next),
        count_(problem.image.geometry().voxel_count()),
        f_(problem.image.voxels<Voxel>().data()),
        mask_(problem.mask.empty() ? nullptr : problem.mask.labels().as<std::uint8_t>().data()),
        takes_(large_array<std::uint8_t>(static_cast<std::size_t>(count_))),
        altitudes_(large_array<Voxel>(static_cast<std::size_t>(count_))) {}

  LabelMap run(Context& context) {
    find_takers(context);
    SlabStates<Voxel> states =
        states_of(altitudes_.get(), context,
                  {.states = [&](std::int64_t first, std::int64_t end) { start(first, end); },
                   .name = "altitudes",
                   .inputs = {problem_.image.bytes()}});
    settle(states, context,
           [&](const SlabPart& part, Context& own) { return lower_altitudes(states, part, own); });
    return fits_a_byte(problem_.connectivity) ? find_labels<std::uint8_t>(context)
                                              : find_labels<std::uint32_t>(context);
  }

 private:
  template <typename Steps>
  LabelMap find_labels(Context& context) {
    const LargeArray<Steps> predecessors = predecessors_of_all<Steps>(context);
    altitudes_.reset();
    takes_.reset();
    return watershed::visit_markers(problem_, [&]<typename T>(std::span<const T>) {
      auto basins = large_array<T>(static_cast<std::size_t>(count_));
      SlabStates<T> states = states_of(basins.get(), context,
                                       {.states =
                                            [&](std::int64_t first, std::int64_t end) {
                                              watershed::write_first_basins(problem_, first, end,
                                                                            basins.get() + first);
                                            },
                                        .name = "basins",
                                        .is_last = true});
      settle(states, context, [&](const SlabPart& part, Context& own) {
        return lower_basins(predecessors.get(), states, part, own);
      });
      collect_states(states, context);
      for_ranges_of(layers_known_to_first(context), context,
                    [&](std::int64_t begin, std::int64_t end) {
                      watershed::make_labels(end - begin, basins.get() + begin);
                    });
      return label_map_of(problem_.image.geometry(), std::move(basins));
    });
  }

  /// Returns the layers that this rank owns, and `beside` more on each side.
  [[nodiscard]] LayerRange own_and(std::int64_t beside, const Context& context) const {
    const Ranks* const ranks = context.ranks();
    return ranks == nullptr ? LayerRange{0, slabs_.layers()}
                            : own_layers_and(*ranks, beside, slabs_.layers());
  }
  /// Returns all layers if this rank has the states of all in the end, else its own.
  [[nodiscard]] LayerRange layers_known_to_first(const Context& context) const {
    const Ranks* const ranks = context.ranks();
    return ranks != nullptr && ranks->rank() > 0 ? own_and(0, context)
                                                 : LayerRange{0, slabs_.layers()};
  }
  /// Calls body(first cell, end) for ranges of the cells of some layers, on all threads.
  template <typename Body>
  void for_ranges_of(const LayerRange& layers, Context& context, Body&& body) const {
    const std::int64_t first = layers.begin * slabs_.layer_cells();
    parallel_for(context, layers.layers() * slabs_.layer_cells(), kSlabCellsPerTask,
                 [&](std::int64_t begin, std::int64_t end) { body(first + begin, first + end); });
  }

  template <typename Visit>
  void settle(SlabCells& states, Context& context, Visit&& visit) {
    settle_slabs(states, visit, context, next_);
  }
  template <typename State>
  [[nodiscard]] SlabStates<State> states_of(State* all, const Context& context,
                                            PassStart first) const {
    return {slabs_, {all, static_cast<std::size_t>(count_)}, context, std::move(first)};
  }
  [[nodiscard]] watershed::WatershedCells<Voxel> cells() const {
    return {problem_.image.geometry().size, problem_.connectivity, altitudes_.get(), takes_.get(),
            mask_};
  }
  /// Sets the first altitudes: f at markers.
  void start(std::int64_t first, std::int64_t end) {
    set_start(f_ + first, takes_.get() + first, end - first, altitudes_.get() + first);
    if (mask_ != nullptr)
      watershed::set_masked_out(mask_ + first, end - first, kHighest<Voxel>,
                                altitudes_.get() + first);
  }
  /// Finds the cells that take water: no markers, and inside the mask.
  void find_takers(Context& context) {
    watershed::visit_markers(problem_, [&]<typename T>(std::span<const T> markers) {
      for_ranges_of(
          own_and(kLayersBeside, context), context, [&](std::int64_t begin, std::int64_t end) {
            std::uint8_t* takes = takes_.get() + begin;
            watershed::set_takes(markers.data() + begin, end - begin, takes);
            if (mask_ != nullptr)
              watershed::set_masked_out(mask_ + begin, end - begin, std::uint8_t{0}, takes);
          });
    });
  }
  [[nodiscard]] Box box_of(const Slab& slab) const {
    return slabs_.box(slab.halo_begin, slab.halo_end);
  }
  [[nodiscard]] std::int64_t first_of(const Slab& slab) const {
    return slab.halo_begin * slabs_.layer_cells();
  }
  [[nodiscard]] std::int64_t cells_of(const Slab& slab) const {
    return slab.layers_with_halo() * slabs_.layer_cells();
  }

  SlabSides lower_altitudes(SlabStates<Voxel>& states, const SlabPart& part, Context& own) {
    const Slab& slab = part.layers;
    const std::int64_t first = first_of(slab);
    ReconstructionProblem local;
    local.direction = ReconstructionDirection::Erosion;
    local.connectivity = problem_.connectivity;
    local.mask = shared_part(problem_.image, box_of(slab));
    const Geometry geometry = local.mask.geometry();
    if (mask_ != nullptr) {
      auto limits = large_array<Voxel>(static_cast<std::size_t>(cells_of(slab)));
      parallel_for(own, cells_of(slab), kSlabCellsPerTask,
                   [&](std::int64_t begin, std::int64_t end) {
                     std::copy_n(f_ + first + begin, end - begin, limits.get() + begin);
                     watershed::set_masked_out(mask_ + first + begin, end - begin, kHighest<Voxel>,
                                               limits.get() + begin);
                   });
      local.mask = Volume(geometry, std::move(limits));
    }
    const auto seen = states.look(part, own);
    local.marker = Volume(geometry, seen);
    const Reconstruction solved = solver_.altitudes(local, own);
    return states.store(part, solved.image.template voxels<Voxel>(), seen, own);
  }

  /// Returns the altitudes of a slab as numbers that are equal where they are. `room` holds them
  /// if they are not those of the image's type.
  [[nodiscard]] WatershedSlab::Altitudes comparable(const Slab& slab,
                                                    LargeArray<CellOf<Voxel>>& room,
                                                    Context& own) const {
    using Cell = CellOf<Voxel>;
    const Voxel* from = altitudes_.get() + first_of(slab);
    const auto count = static_cast<std::size_t>(cells_of(slab));
    if constexpr (std::is_same_v<Voxel, Cell>) return std::span<const Cell>(from, count);
    room = large_array<Cell>(count);
    parallel_for(own, cells_of(slab), kSlabCellsPerTask, [&](std::int64_t begin, std::int64_t end) {
      to_cells(from + begin, end - begin, false, room.get() + begin);
    });
    return std::span<const Cell>(room.get(), count);
  }

  template <typename Kept>
  void settle_hops(Kept* all, Context& context, PassStart first) {
    SlabStates<Kept> states = states_of(all, context, std::move(first));
    settle(states, context,
           [&](const SlabPart& part, Context& own) { return lower_hops(states, part, own); });
  }

  template <typename Kept>
  SlabSides lower_hops(SlabStates<Kept>& states, const SlabPart& part, Context& own) {
    const Slab& slab = part.layers;
    const auto count = static_cast<std::size_t>(cells_of(slab));
    LargeArray<CellOf<Voxel>> room;
    const WatershedSlab input{crop(problem_.image.geometry(), box_of(slab)).size,
                              problem_.connectivity,
                              comparable(slab, room, own),
                              {takes_.get() + first_of(slab), count}};
    auto hops = states.draft(part, own);
    solver_.hops(input, hops.cells(), own);
    return states.store(part, hops, own);
  }

  template <typename Steps>
  [[nodiscard]] LargeArray<Steps> predecessors_of_all(Context& context) {
    using Short = std::uint16_t;
    auto hops = large_array<Short>(static_cast<std::size_t>(count_));
    settle_hops(hops.get(), context,
                {.states =
                     [&](std::int64_t first, std::int64_t end) {
                       watershed::set_first_hops(
                           cells(), first, end,
                           [&](std::int64_t cell, std::int64_t) { return f_ + cell; },
                           kFarKept<Short>, hops.get());
                     },
                 .name = "hops"});
    if (all_fit(hops.get(), context)) return predecessors_by<Steps>(hops.get(), context);
    auto longer = large_array<Hops>(static_cast<std::size_t>(count_));
    for_ranges_of(own_and(1, context), context, [&](std::int64_t begin, std::int64_t end) {
      std::transform(hops.get() + begin, hops.get() + end, longer.get() + begin,
                     watershed::wide_hops);
    });
    hops.reset();
    settle_hops(longer.get(), context, {.name = "longhops"});
    return predecessors_by<Steps>(longer.get(), context);
  }
  /// A way of more hops than the type holds passes a cell of the most that it holds.
  template <typename Kept>
  [[nodiscard]] bool all_fit(const Kept* all, Context& context) const {
    std::atomic<bool> fit = true;
    for_ranges_of(own_and(0, context), context, [&](std::int64_t begin, std::int64_t end) {
      constexpr auto kMost = static_cast<Kept>(kFarKept<Kept> - 1);
      if (watershed::holds(all + begin, end - begin, kMost)) fit = false;
    });
    Ranks* const ranks = context.ranks();
    return ranks == nullptr ? fit.load() : ranks->all_sum(fit ? 0 : 1) == 0;
  }
  template <typename Steps, typename Kept>
  [[nodiscard]] LargeArray<Steps> predecessors_by(const Kept* hops, Context& context) const {
    auto all = large_array<Steps>(static_cast<std::size_t>(count_));
    // Visits read those of their halo, too, and these the states of one more layer.
    static_assert(kLayersBeside == 2);
    for_ranges_of(own_and(1, context), context, [&](std::int64_t begin, std::int64_t end) {
      watershed::set_predecessors(cells(), hops, begin, end, all.get());
    });
    return all;
  }
  /// Predecessors of the halo's cells may lie beyond it. The visit wakes their own slab if one of
  /// them would gain.
  template <typename Steps, typename T>
  SlabSides lower_basins(const Steps* all, SlabStates<T>& states, const SlabPart& part,
                         Context& own) {
    const Slab& slab = part.layers;
    const auto count = static_cast<std::size_t>(cells_of(slab));
    auto basins = states.draft(part, own);
    solver_.basins(crop(problem_.image.geometry(), box_of(slab)).size, problem_.connectivity,
                   std::span<const Steps>(all + first_of(slab), count), basins.cells(), own);
    return states.store(part, basins, own);
  }

  const WatershedProblem& problem_;
  const WatershedSlabSolver& solver_;
  const SlabGrid& slabs_;
  const NextSlab& next_;
  std::int64_t count_;
  const Voxel* f_;
  const std::uint8_t* mask_;  // null: all cells are inside
  LargeArray<std::uint8_t> takes_;
  std::shared_ptr<Voxel[]> altitudes_;
};

}  // namespace

LabelMap watershed_in_slabs(const WatershedProblem& given, const WatershedSlabSolver& solver,
                            const SlabGrid& slabs, Context& context, const NextSlab& next) {
  const WatershedProblem problem = watershed::prepared(given);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return InSlabs<Voxel>(problem, solver, slabs, next).run(context);
  });
}

std::int64_t watershed_bytes_between(const Geometry& geometry, VoxelType type,
                                     Connectivity connectivity) {
  const std::size_t predecessors = fits_a_byte(connectivity) ? 1 : 4;
  constexpr std::size_t kTakes = 1;
  return geometry.voxel_count() *
         static_cast<std::int64_t>(bytes_of(type) + kTakes + sizeof(Hops) + predecessors);
}

namespace watershed {
namespace {

bool is_planar(Connectivity connectivity) {
  return connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
}

template <typename Cell>
BytesForSize slab_bytes(Connectivity connectivity) {
  return [connectivity](const Index3& size) {
    // Bytes per tile of a rule: its published shell and its place in the queue.
    constexpr std::int64_t kShellInPlane = 1536;
    constexpr std::int64_t kShell = 6144;
    // Bytes per cell of the second pass, altitudes, hops, hops to keep; on planes these, or
    // altitudes and hops to keep, states and gates.
    const std::int64_t of_a_cell = is_planar(connectivity) ? 4 + 4 + 2 + 1 : 4 + 4 + 2;
    const std::int64_t cells = size[0] * size[1] * size[2];
    const TileGrid tiles = rule_grid(size, connectivity);
    const std::int64_t shell = tiles.depth() == 1 ? kShellInPlane : kShell;
    const std::int64_t first = GeodesicTiles<Cell>::bytes(size, connectivity) +
                               2 * cells * static_cast<std::int64_t>(sizeof(Cell));
    return std::max(first, cells * of_a_cell + tiles.tile_count() * shell);
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
  solver.hops = [](const WatershedSlab& slab, const WatershedSlab::Hops& hops, Context& context) {
    if (is_planar(slab.connectivity) && lower_hops_by_gates(slab, hops, context)) return;
    with_wide<std::int32_t>(slab.altitudes, [&](std::span<const std::int32_t> altitudes) {
      with_wide_hops(hops, [&](std::span<std::uint32_t> wide) {
        run_rule(HopsRule<std::int32_t, std::uint32_t>{altitudes.data(), slab.takes.data()},
                 slab.size, slab.connectivity, wide, context);
      });
    });
  };
  solver.basins = [](const Index3& size, Connectivity connectivity,
                     const WatershedSlabSolver::Predecessors& predecessors,
                     const WatershedSlabSolver::Basins& basins, Context& context) {
    if (is_planar(connectivity))
      return lower_basins_by_gates(size, connectivity, predecessors, basins, context);
    with_wide<std::uint32_t>(predecessors, [&](std::span<const std::uint32_t> wide) {
      std::visit(
          [&]<typename T>(std::span<T> labels) {
            run_rule(BasinRule<T>{wide.data()}, size, connectivity, labels, context);
          },
          basins);
    });
  };
  return solver;
}

LabelMap labels_in_slabs(const WatershedProblem& problem, Context& context) {
  const Geometry& geometry = problem.image.geometry();
  const VoxelType type = problem.image.type();
  const SlabGrid slabs = slabs_for(context, geometry.size, slab_bytes(type, problem.connectivity),
                                   watershed_bytes_between(geometry, type, problem.connectivity));
  return watershed_in_slabs(problem, slab_solver_on_tiles(), slabs, context);
}

}  // namespace watershed

std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type,
                                   Connectivity connectivity) {
  return least_budget(geometry.size, watershed::slab_bytes(type, connectivity),
                      watershed_bytes_between(geometry, type, connectivity));
}

}  // namespace seedwave
