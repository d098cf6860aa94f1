// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/morphology/watershed_scene.h"
#include "core/wavefront/watershed_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// First hops and predecessors of a watershed's cells (watershed_rules.h), row by row with vector
/// code. The loops over cells are separate functions: inside larger ones they are not vectorised.
namespace seedwave::watershed {

/// The neighbours of the cells of a part of a row, in one direction.
struct RowNeighbours {
  std::int64_t shift;  // from a cell to its neighbour
  int step;            // from the neighbour to the cell
  std::int64_t begin;  // the cells that have one, counted from the first of the part
  std::int64_t end;
};

/// Calls body(first cell, count, neighbours) for each part of a row among the cells from `first` to
/// `end` of a grid.
template <typename Body>
void for_parts_of_rows(const Index3& size, Connectivity connectivity, std::int64_t first,
                       std::int64_t end, Body&& body) {
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  std::vector<RowNeighbours> neighbours;
  while (first < end) {
    const std::int64_t row = first / size[0];
    const std::int64_t x = first % size[0];
    const std::int64_t count = std::min(size[0] - x, end - first);
    neighbours.clear();
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const NeighbourStep& step = steps[s];
      const std::int64_t y = row % size[1] + step.dy;
      const std::int64_t z = row / size[1] + step.dz;
      if (y < 0 || y >= size[1] || z < 0 || z >= size[2]) continue;
      neighbours.push_back({.shift = step.dx + size[0] * (step.dy + size[1] * step.dz),
                            .step = static_cast<int>(steps.size() - 1 - s),
                            .begin = x + step.dx < 0 ? 1 : 0,
                            .end = x + count + step.dx > size[0] ? count - 1 : count});
    }
    body(first, count, std::span<const RowNeighbours>(neighbours));
    first += count;
  }
}

namespace rows {

template <typename Cell>
[[gnu::noinline]] void mark_lower(const Cell* altitudes, const Cell* beside, std::int64_t count,
                                  std::uint8_t* __restrict lower) {
  for (std::int64_t i = 0; i < count; ++i)
    lower[i] = static_cast<std::uint8_t>(lower[i] | (beside[i] < altitudes[i] ? 1 : 0));
}
template <typename Cell, typename Hops>
[[gnu::noinline]] void set_hops(const Cell* f, const Cell* altitudes, const std::uint8_t* takes,
                                const std::uint8_t* lower, std::int64_t count, Hops far,
                                Hops* __restrict hops) {
  for (std::int64_t i = 0; i < count; ++i) {
    const int closed = takes[i] == 0 ? 1 : 0;
    const int in = static_cast<int>(comes_in(f[i], altitudes[i], true, true)) & lower[i];
    hops[i] = (closed | in) != 0 ? Hops{0} : far;
  }
}

template <typename Cell>
[[gnu::noinline]] void take_lower(const Cell* beside, std::int64_t count, Cell* __restrict lowest) {
  for (std::int64_t i = 0; i < count; ++i)
    lowest[i] = beside[i] < lowest[i] ? beside[i] : lowest[i];
}
/// Takes the hops of cells at the lowest altitude.
template <typename Cell, typename Hops>
[[gnu::noinline]] void take_fewer(const Cell* altitudes, const Hops* hops, const Cell* lowest,
                                  std::int64_t count, Hops* __restrict fewest) {
  for (std::int64_t i = 0; i < count; ++i) {
    const Hops fewer = hops[i] < fewest[i] ? hops[i] : fewest[i];
    fewest[i] = altitudes[i] == lowest[i] ? fewer : fewest[i];
  }
}
template <typename Cell, typename Hops, typename Steps>
[[gnu::noinline]] void add_step(const Cell* altitudes, const Hops* hops, const Cell* lowest,
                                const Hops* fewest, Steps step, std::int64_t count,
                                Steps* __restrict steps) {
  for (std::int64_t i = 0; i < count; ++i) {
    const int best = (altitudes[i] == lowest[i] ? 1 : 0) & (hops[i] == fewest[i] ? 1 : 0);
    steps[i] = static_cast<Steps>(steps[i] | (best != 0 ? step : Steps{0}));
  }
}
/// Leaves no steps to a cell that takes nothing, or than which no neighbour is better.
template <typename Cell, typename Hops, typename Steps>
[[gnu::noinline]] void drop_idle(const Cell* altitudes, const Hops* hops, const std::uint8_t* takes,
                                 const Cell* lowest, const Hops* fewest, std::int64_t count,
                                 Steps* __restrict steps) {
  for (std::int64_t i = 0; i < count; ++i) {
    const int better = (altitudes[i] != lowest[i] ? 1 : 0) | (hops[i] != fewest[i] ? 1 : 0);
    steps[i] = (better & (takes[i] != 0 ? 1 : 0)) != 0 ? steps[i] : Steps{0};
  }
}

}  // namespace rows

/// The cells of a grid at the fixpoint of altitudes: whole arrays.
template <typename Cell>
struct WatershedCells {
  Index3 size{};
  Connectivity connectivity = Connectivity::C4;
  const Cell* altitudes = nullptr;
  const std::uint8_t* takes = nullptr;  // 0 for a cell that takes no offer
  const std::uint8_t* mask = nullptr;   // null: all cells are inside
};

/// Sets the first hops of the cells from `first` to `end`: 0 at markers and where the water comes
/// in (comes_in()), elsewhere `far`. heights(cell, count) returns f of `count` cells.
template <typename Cell, typename Hops, typename Heights>
void set_first_hops(const WatershedCells<Cell>& cells, std::int64_t first, std::int64_t end,
                    const Heights& heights, Hops far, Hops* hops) {
  std::vector<std::uint8_t> lower(static_cast<std::size_t>(std::min(cells.size[0], end - first)));
  for_parts_of_rows(
      cells.size, cells.connectivity, first, end,
      [&](std::int64_t at, std::int64_t count, std::span<const RowNeighbours> neighbours) {
        std::fill_n(lower.begin(), count, std::uint8_t{0});
        const Cell* altitudes = cells.altitudes + at;
        for (const RowNeighbours& each : neighbours) {
          rows::mark_lower(altitudes + each.begin, altitudes + each.begin + each.shift,
                           each.end - each.begin, lower.data() + each.begin);
        }
        rows::set_hops(heights(at, count), altitudes, cells.takes + at, lower.data(), count, far,
                       hops + at);
        if (cells.mask != nullptr) set_masked_out(cells.mask + at, count, far, hops + at);
      });
}

/// Sets the steps of the predecessors (Predecessors) of the cells from `first` to `end`, of which,
/// and of the cells beside them, the hops are at their fixpoint.
template <typename Cell, typename Hops, typename Steps>
void set_predecessors(const WatershedCells<Cell>& cells, const Hops* all_hops, std::int64_t first,
                      std::int64_t end, Steps* all_steps) {
  const auto length = static_cast<std::size_t>(std::min(cells.size[0], end - first));
  std::vector<Cell> lowest(length);
  std::vector<Hops> fewest(length);
  for_parts_of_rows(
      cells.size, cells.connectivity, first, end,
      [&](std::int64_t at, std::int64_t count, std::span<const RowNeighbours> neighbours) {
        const Cell* altitudes = cells.altitudes + at;
        const Hops* hops = all_hops + at;
        Steps* steps = all_steps + at;
        std::copy_n(altitudes, count, lowest.begin());
        for (const RowNeighbours& each : neighbours) {
          rows::take_lower(altitudes + each.begin + each.shift, each.end - each.begin,
                           lowest.data() + each.begin);
        }
        std::fill_n(fewest.begin(), count, std::numeric_limits<Hops>::max());
        rows::take_fewer(altitudes, hops, lowest.data(), count, fewest.data());
        for (const RowNeighbours& each : neighbours) {
          const std::int64_t there = each.begin + each.shift;
          rows::take_fewer(altitudes + there, hops + there, lowest.data() + each.begin,
                           each.end - each.begin, fewest.data() + each.begin);
        }
        std::fill_n(steps, count, Steps{0});
        for (const RowNeighbours& each : neighbours) {
          const std::int64_t there = each.begin + each.shift;
          rows::add_step(altitudes + there, hops + there, lowest.data() + each.begin,
                         fewest.data() + each.begin, static_cast<Steps>(Steps{1} << each.step),
                         each.end - each.begin, steps + each.begin);
        }
        rows::drop_idle(altitudes, hops, cells.takes + at, lowest.data(), fewest.data(), count,
                        steps);
      });
}

}  // namespace seedwave::watershed
