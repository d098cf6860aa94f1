// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed_gates.h"

#include "core/base/fetch_ahead.h"
#include "core/base/large_memory.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/apart.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/gated/gated_tiles.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <variant>
#include <vector>

namespace seedwave::watershed {
namespace {

using gated::kCells;
using gated::kSide;

/// States of cells that offer nothing, with a step and without.
constexpr std::uint16_t kNoHops = 0xFFFE;
constexpr std::uint16_t kNoBasin = 0xFFFF;

int neighbour_count(Connectivity connectivity) {
  return connectivity == Connectivity::C8 ? 8 : 4;
}

/// States and gates of the planes of a slab, tile by tile.
struct GatedSlab {
  GatedSlab(const Index3& size, Context& context)
      : grid(size, kSide, 1),
        states(large_array<std::uint16_t>(cell_count())),
        gates(large_array<std::uint8_t>(cell_count())),
        threads(context.threads()) {}

  [[nodiscard]] std::size_t cell_count() const {
    return static_cast<std::size_t>(grid.tile_count() * kCells);
  }
  /// Calls body(offset, states, gates, count) for the rows of a tile, which is cleared before.
  template <typename Body>
  void fill(std::int64_t tile, std::uint16_t nothing, Body&& body) {
    std::uint16_t* own = states.get() + tile * kCells;
    std::uint8_t* closed = gates.get() + tile * kCells;
    std::fill_n(closed, kCells, gated::kAllBlocked);
    if (!grid.is_whole(tile)) std::fill_n(own, kCells, nothing);
    grid.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
      body(offset, own + cell, closed + cell, count);
    });
  }
  /// Calls body(offset, states, count) for the rows of all tiles, on all threads.
  template <typename Body>
  void read(const std::uint16_t* from, Context& context, Body&& body) const {
    parallel_for(context, grid.band_count(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t band = begin; band < end; ++band) {
        grid.for_each_row_of_band(band,
                                  [&](std::int64_t offset, std::int64_t tile, int cell, int count) {
                                    body(offset, from + tile * kCells + cell, count);
                                  });
      }
    });
  }

  TileGrid grid;
  LargeArray<std::uint16_t> states;
  LargeArray<std::uint8_t> gates;
  int threads;
};

// The loops over cells are separate functions: inside larger ones they are not vectorised.

/// Sets the states of hops, at most kFarInPlane.
template <typename Kept>
[[gnu::noinline]] void set_states(const Kept* hops, int count, std::uint16_t* __restrict states) {
  for (int i = 0; i < count; ++i)
    states[i] = static_cast<std::uint16_t>(hops[i] < kFarInPlane ? hops[i] : Kept{kFarInPlane});
}
/// Returns whether some cell has more hops than a state holds.
template <typename Kept>
[[gnu::noinline]] bool exceed_states(const Kept* hops, int count) {
  int found = 0;
  for (int i = 0; i < count; ++i)
    found |= (hops[i] >= kFarInPlane ? 1 : 0) & (hops[i] != kFarKept<Kept> ? 1 : 0);
  return found != 0;
}
template <typename Kept>
[[gnu::noinline]] void keep_hops(const std::uint16_t* states, int count, Kept* __restrict hops) {
  for (int i = 0; i < count; ++i)
    hops[i] = states[i] >= kFarInPlane ? kFarKept<Kept> : Kept{states[i]};
}
/// Sets the states of basins, which are these or the upper half of their bits.
template <typename T>
[[gnu::noinline]] void set_upper(const T* basins, int count, std::uint16_t* __restrict states) {
  constexpr int kShift = sizeof(T) == 4 ? 16 : 0;
  for (int i = 0; i < count; ++i)
    states[i] = static_cast<std::uint16_t>(basins[i] >> kShift);
}

/// Opens the edges from a neighbour at the same altitude. `beside` are the altitudes there.
template <typename Altitude>
[[gnu::noinline]] void open_level(const Altitude* altitudes, const Altitude* beside,
                                  const std::uint8_t* takes, int from, int begin, int end,
                                  std::uint8_t* __restrict gates) {
  const auto bit = static_cast<std::uint8_t>(1U << from);
  for (int i = begin; i < end; ++i) {
    const bool open = (altitudes[i] == beside[i]) & (takes[i] != 0);
    gates[i] = static_cast<std::uint8_t>(gates[i] & ~(open ? bit : 0));
  }
}

/// Opens the edges over a plateau to the cells of a row. `all` are the slab's altitudes.
template <typename Altitude>
void open_plateau(const WatershedSlab& slab, std::span<const Altitude> all, std::int64_t offset,
                  int count, std::uint8_t* gates) {
  const std::int64_t x = offset % slab.size[0];
  const std::int64_t y = offset / slab.size[0] % slab.size[1];
  for (int from = 0; from < neighbour_count(slab.connectivity); ++from) {
    const Away away = kAways[static_cast<std::size_t>(from)];
    if (y + away.dy < 0 || y + away.dy >= slab.size[1]) continue;
    const int begin = x + away.dx < 0 ? 1 : 0;
    const int end = x + count + away.dx > slab.size[0] ? count - 1 : count;
    const Altitude* altitudes = all.data() + offset;
    open_level(altitudes, altitudes + away.dx + away.dy * slab.size[0], slab.takes.data() + offset,
               from, begin, end, gates);
  }
}

/// Returns the gates of a cell by its predecessors, whose bits are the steps to it.
std::array<std::uint8_t, 256> gates_by_predecessors(Connectivity connectivity) {
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  std::array<std::uint8_t, 256> gates{};
  gates.fill(gated::kAllBlocked);
  for (std::size_t predecessors = 0; predecessors < gates.size(); ++predecessors) {
    for (std::size_t step = 0; step < steps.size(); ++step) {
      if ((predecessors >> step & 1U) == 0) continue;
      for (std::size_t from = 0; from < kAways.size(); ++from) {
        if (kAways[from].dx == -steps[step].dx && kAways[from].dy == -steps[step].dy)
          gates[predecessors] = static_cast<std::uint8_t>(gates[predecessors] & ~(1U << from));
      }
    }
  }
  return gates;
}

struct alignas(kApart) PaddedTile {
  std::array<std::uint16_t, gated::kPaddedCells> states{};
};

/// The labels of a slab, less 1. Steps: the type of the predecessors.
template <typename T, typename Steps>
class BasinsByGates {
 public:
  BasinsByGates(const Index3& size, Connectivity connectivity, std::span<const Steps> predecessors,
                std::span<T> basins, Context& context)
      : connectivity_(connectivity),
        predecessors_(predecessors),
        basins_(basins),
        context_(context),
        slab_(size, context),
        gates_(gates_by_predecessors(connectivity)) {}

  void run() {
    GatedTiles tiles(slab_.grid, connectivity_, gated::Steps::None, slab_.threads,
                     slab_.states.get(), slab_.gates.get());
    tiles.run(context_, [&](std::int64_t tile, int) {
      slab_.fill(tile, kNoBasin,
                 [&](std::int64_t at, std::uint16_t* states, std::uint8_t* gates, int count) {
                   fetch_row_behind(basins_.data() + at, count);
                   fetch_row_behind(predecessors_.data() + at, count);
                   set_upper(basins_.data() + at, count, states);
                   set_gates(predecessors_.data() + at, count, gates);
                 });
    });
    if constexpr (sizeof(T) == 2) {
      slab_.read(slab_.states.get(), context_,
                 [&](std::int64_t at, const std::uint16_t* states, int count) {
                   std::copy_n(states, count, basins_.begin() + at);
                 });
    } else {
      run_lower(tiles);
    }
  }

 private:
  void set_gates(const Steps* predecessors, int count, std::uint8_t* __restrict gates) const {
    const std::uint8_t* const gates_of = gates_.data();
    for (int i = 0; i < count; ++i)
      gates[i] = gates_of[predecessors[i]];
  }

  /// Finds the lower halves, when the upper ones are at rest.
  void run_lower(GatedTiles& upper) {
    const auto lower = large_array<std::uint16_t>(slab_.cell_count());
    std::vector<PaddedTile> padded(static_cast<std::size_t>(slab_.threads));
    GatedTiles tiles(slab_.grid, connectivity_, gated::Steps::None, slab_.threads, lower.get(),
                     slab_.gates.get());
    tiles.run(context_, [&](std::int64_t tile, int worker) {
      std::uint16_t* around = padded[static_cast<std::size_t>(worker)].states.data();
      upper.read(tile, around + gated::kPaddedFirst);
      block_other_halves(around + gated::kPaddedFirst,
                         static_cast<gated::Neighbours>(neighbour_count(connectivity_)),
                         slab_.gates.get() + tile * kCells);
      std::uint16_t* own = lower.get() + tile * kCells;
      std::fill_n(own, kCells, kNoBasin);
      const std::uint16_t* halves = slab_.states.get() + tile * kCells;
      slab_.grid.for_each_row(tile, [&](std::int64_t at, int cell, int count) {
        for (int i = 0; i < count; ++i) {
          const std::uint32_t basin = basins_[at + i];
          if (basin >> 16U == halves[cell + i]) own[cell + i] = static_cast<std::uint16_t>(basin);
        }
      });
    });
    slab_.read(slab_.states.get(), context_,
               [&](std::int64_t at, const std::uint16_t* halves, int count) {
                 for (int i = 0; i < count; ++i)
                   basins_[at + i] = static_cast<T>(std::uint32_t{halves[i]} << 16U);
               });
    slab_.read(lower.get(), context_, [&](std::int64_t at, const std::uint16_t* halves, int count) {
      for (int i = 0; i < count; ++i)
        basins_[at + i] = static_cast<T>(basins_[at + i] | halves[i]);
    });
  }

  Connectivity connectivity_;
  std::span<const Steps> predecessors_;
  std::span<T> basins_;
  Context& context_;
  GatedSlab slab_;
  std::array<std::uint8_t, 256> gates_;
};

template <typename Altitude, typename Kept>
bool lower_hops(const WatershedSlab& slab, std::span<const Altitude> altitudes,
                std::span<Kept> hops, Context& context) {
  GatedSlab planes(slab.size, context);
  std::atomic<bool> fits = true;
  GatedTiles tiles(planes.grid, slab.connectivity, gated::Steps::One, planes.threads,
                   planes.states.get(), planes.gates.get());
  tiles.run(context, [&](std::int64_t tile, int) {
    planes.fill(tile, kNoHops,
                [&](std::int64_t at, std::uint16_t* states, std::uint8_t* gates, int count) {
                  fetch_row_behind(hops.data() + at, count);
                  fetch_row_behind(slab.takes.data() + at, count);
                  fetch_row_behind(altitudes.data() + at, count);
                  if (exceed_states(hops.data() + at, count)) fits = false;
                  set_states(hops.data() + at, count, states);
                  open_plateau(slab, altitudes, at, count, gates);
                });
  });
  planes.read(planes.states.get(), context,
              [&](std::int64_t, const std::uint16_t* states, int count) {
                if (holds(states, count, kMostInPlane)) fits = false;
              });
  if (!fits) return false;
  planes.read(planes.states.get(), context,
              [&](std::int64_t at, const std::uint16_t* states, int count) {
                keep_hops(states, count, hops.data() + at);
              });
  return true;
}

}  // namespace

bool lower_hops_by_gates(const WatershedSlab& slab, const WatershedSlab::Hops& hops,
                         Context& context) {
  return std::visit(
      [&](auto altitudes, auto kept) { return lower_hops(slab, altitudes, kept, context); },
      slab.altitudes, hops);
}

void lower_basins_by_gates(const Index3& size, Connectivity connectivity,
                           const WatershedSlabSolver::Predecessors& predecessors,
                           const WatershedSlabSolver::Basins& basins, Context& context) {
  std::visit(
      [&]<typename Steps, typename T>(std::span<const Steps> steps, std::span<T> labels) {
        BasinsByGates<T, Steps>(size, connectivity, steps, labels, context).run();
      },
      predecessors, basins);
}

}  // namespace seedwave::watershed
