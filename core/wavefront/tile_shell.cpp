// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/tile_shell.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {
namespace {

/// -1 below 0, 1 from `length` on, else 0.
int way_out(int at, int length) {
  return at < 0 ? -1 : static_cast<int>(at >= length);
}

}  // namespace

TileShell::TileShell(const TileGrid& grid, Connectivity connectivity) : grid_(grid) {
  const std::vector<Step> steps = neighbour_steps(connectivity);
  const bool along_z =
      std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.dz != 0; });
  const int side = grid.side();
  const int depth = grid.depth();
  rim_z_ = along_z ? 1 : 0;
  row_ = side + 2;
  planes_ = depth + 2 * rim_z_;
  for (const Step& step : steps)
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
  const auto add_to_halo = [&](int x, int y, int z) {
    const int dx = way_out(x, side);
    const int dy = way_out(y, side);
    const int dz = way_out(z, depth);
    const int cell = cell_at(x, y, z);
    if ((dx == 0 && dy == 0 && dz == 0) || seen[static_cast<std::size_t>(cell)] != 0) return;
    seen[static_cast<std::size_t>(cell)] = 1;
    const int theirs = cell_at(x - dx * side, y - dy * side, z - dz * depth);
    halo_.push_back(
        {cell, 1 + dx + 3 * (1 + dy + 3 * (1 + dz)), slots[static_cast<std::size_t>(theirs)]});
  };
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        for (const Step& step : steps)
          add_to_halo(x + step.dx, y + step.dy, z + step.dz);
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
  for (int z = -rim_z_; z < depth + rim_z_; ++z) {
    if (!inside(z, 2)) continue;
    for (int y = -1; y <= side; ++y) {
      if (!inside(y, 1)) continue;
      for (int x = -1; x <= side; ++x) {
        if (!inside(x, 0)) continue;
        const bool own = way_out(x, side) == 0 && way_out(y, side) == 0 && way_out(z, depth) == 0;
        places[static_cast<std::size_t>(cell_at(x, y, z))] = own ? Own : Halo;
      }
    }
  }
}

}  // namespace seedwave
