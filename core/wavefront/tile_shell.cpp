// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/tile_shell.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {
namespace {

/// Returns -1 below 0, 1 from `length` on, and 0 otherwise.
int way_out(int at, int length) {
  return at < 0 ? -1 : static_cast<int>(at >= length);
}

}  // namespace

TileShell::TileShell(const TileGrid& grid, Connectivity connectivity) : grid_(grid) {
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  const bool along_z = std::any_of(steps.begin(), steps.end(),
                                   [](const NeighbourStep& step) { return step.dz != 0; });
  const int side = grid.side();
  const int depth = grid.depth();
  rim_z_ = along_z ? 1 : 0;
  row_ = side + 2;
  planes_ = depth + 2 * rim_z_;
  for (const NeighbourStep& step : steps)
    steps_.push_back(step.dx + row_ * (step.dy + row_ * step.dz));
  for (int z = -rim_z_; z < depth + rim_z_; ++z) {
    for (int y = -1; y <= side; ++y) {
      for (int x = -1; x <= side; ++x)
        offsets_.push_back(x + grid.size()[0] * (y + grid.size()[1] * z));
    }
  }

  std::vector<int> slots(static_cast<std::size_t>(cell_count()), -1);
  std::vector<char> seen(slots.size());
  const auto at_an_end = [](int at, int length) { return at == 0 || at == length - 1; };
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        if (!at_an_end(x, side) && !at_an_end(y, side) && !(along_z && at_an_end(z, depth)))
          continue;
        slots[static_cast<std::size_t>(cell_at(x, y, z))] = static_cast<int>(shell_.size());
        shell_.push_back(cell_at(x, y, z));
      }
    }
  }
  // Records a step from the cell (x, y, z) of the tile to (u, v, w), which may lie outside.
  const auto meet = [&](int cell, int u, int v, int w, int step) {
    const int dx = way_out(u, side);
    const int dy = way_out(v, side);
    const int dz = way_out(w, depth);
    if (dx == 0 && dy == 0 && dz == 0) return;
    const int there = cell_at(u, v, w);
    const int away = 1 + dx + 3 * (1 + dy + 3 * (1 + dz));
    meetings_.push_back({there, cell, static_cast<int>(steps.size()) - 1 - step, away});
    if (seen[static_cast<std::size_t>(there)] != 0) return;
    seen[static_cast<std::size_t>(there)] = 1;
    const int theirs = cell_at(u - dx * side, v - dy * side, w - dz * depth);
    halo_.push_back({there, away, slots[static_cast<std::size_t>(theirs)]});
  };
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
          meet(cell_at(x, y, z), x + steps[i].dx, y + steps[i].dy, z + steps[i].dz,
               static_cast<int>(i));
        }
      }
    }
  }
}

void TileShell::set_places(std::int64_t tile, std::vector<Place>& places) const {
  const Index3 first = grid_.first_cell(tile);
  const int side = grid_.side();
  const int depth = grid_.depth();
  places.assign(static_cast<std::size_t>(cell_count()), Outside);
  const auto inside = [&](std::int64_t at, int axis) {
    return first[axis] + at >= 0 && first[axis] + at < grid_.size()[axis];
  };
  const int begin = first[0] == 0 ? 0 : -1;
  const int end = static_cast<int>(std::min<std::int64_t>(grid_.size()[0] - first[0], side + 1));
  for (int z = -rim_z_; z < depth + rim_z_; ++z) {
    for (int y = -1; y <= side; ++y) {
      if (!inside(z, 2) || !inside(y, 1)) continue;
      const bool own = way_out(y, side) == 0 && way_out(z, depth) == 0;
      const auto row = places.begin() + cell_at(0, y, z);
      std::fill(row + begin, row + end, Halo);
      if (own) std::fill(row, row + std::min(end, side), Own);
    }
  }
}

}  // namespace seedwave
