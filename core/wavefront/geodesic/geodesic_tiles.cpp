// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/geodesic/geodesic_tiles.h"

#include "core/parallel/fetch_pages.h"
#include "core/wavefront/geodesic/geodesic_flood.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace seedwave {

namespace {

using geodesic::Reach;

constexpr int kImageSide = 64;
constexpr int kVolumeSide = 32;
constexpr int kVolumeDepth = 8;
constexpr int kLongestSide = std::max(kImageSide, kVolumeSide);
/// Usual number of visits per tile in a run, which takes 3 to 6. Used for progress.
constexpr std::int64_t kUsualVisits = 5;
/// More visits per tile, or sweeps per plane, indicate long winding paths, where processing cell by
/// cell is faster. Ordinary images take up to 6 visits and 46 sweeps, snakes 32 to 114 visits,
/// mazes 25 visits and 470 sweeps.
constexpr std::int64_t kMostVisits = 8;
constexpr std::int64_t kMostSweeps = 64;
/// Ordinary images of two values take up to 2.2 visits and 10 sweeps.
constexpr std::int64_t kMostVisitsWhileShort = 3;
constexpr std::int64_t kMostSweepsWhileShort = 12;
constexpr std::uint32_t kAllPlanes = ~0U;
/// Number of rounds of columns and rows in one plane before moving on in z.
constexpr int kRoundsInPlane = 4;

bool connects_planes(Connectivity connectivity) {
  return connectivity != Connectivity::C4 && connectivity != Connectivity::C8;
}

TileGrid grid_for(const Index3& size, Connectivity connectivity) {
  return connects_planes(connectivity) ? TileGrid(size, kVolumeSide, kVolumeDepth)
                                       : TileGrid(size, kImageSide, 1);
}

template <typename Cell>
const geodesic::PlaneKernel<Cell>& kernel_for(Connectivity connectivity) {
  return connects_planes(connectivity) ? geodesic::best_kernel<Cell, kVolumeSide>()
                                       : geodesic::best_kernel<Cell, kImageSide>();
}

}  // namespace

template <typename Cell>
GeodesicTiles<Cell>::GeodesicTiles(const Index3& size, Connectivity connectivity, int threads,
                                   LastPage last)
    : grid_(grid_for(size, connectivity)),
      connectivity_(connectivity),
      kernel_(kernel_for<Cell>(connectivity)),
      along_z_(connects_planes(connectivity)),
      plane_cells_(std::int64_t{grid_.side()} * grid_.side()),
      tile_cells_(plane_cells_ * grid_.depth()),
      line_bytes_(static_cast<std::int64_t>(sizeof(Cell)) * grid_.side()),
      side_lines_(kUpright * grid_.depth() + (along_z_ ? 2 * grid_.side() : 0)),
      cells_(large_array<Cell>(std::size_t(grid_.tile_count() * tile_cells_), last)),
      limits_(large_array<Cell>(std::size_t(grid_.tile_count() * tile_cells_), last)),
      limit_columns_(
          std::size_t(grid_.tile_count() * kLimitColumns * grid_.depth() * grid_.side())),
      side_words_(
          std::size_t(grid_.tile_count() * side_lines_ * line_bytes_ / SharedWords::kBytes)),
      loaded_(std::size_t(grid_.tile_count())),
      left_(std::size_t(grid_.tile_count())),
      workers_(std::size_t(threads)) {
  if (connectivity == Connectivity::C8 || connectivity == Connectivity::C18) longest_step_ = 2;
  if (connectivity == Connectivity::C26) longest_step_ = 3;
  if (longest_step_ >= 2) {
    in_plane_ = Reach::Square;
    across_ = longest_step_ == 2 ? Reach::Cross : Reach::Square;
  }
  std::array<Cell, SharedWords::kBytes / sizeof(Cell)> nothing;
  nothing.fill(kLowest);
  for (SharedWords::Word& word : side_words_)
    word.store(std::bit_cast<std::uint64_t>(nothing), std::memory_order_relaxed);
  const auto side = static_cast<std::size_t>(grid_.side());
  const auto depth = static_cast<std::size_t>(grid_.depth());
  for (Worker& worker : workers_) {
    worker.turned.resize(side * side);
    worker.turned_limits.resize(side * side * depth);
    worker.around.assign(kUpright * (depth + 2) * (side + 2), kLowest);
    worker.above.resize(along_z_ ? side * side : 0);
    worker.below.resize(along_z_ ? side * side : 0);
    worker.offers.resize(kUpright * depth * side);
    worker.own.assign((depth + 4) * (side + 4), kLowest);
    worker.line.resize(side + 2);
  }
}

template <typename Cell>
std::int64_t GeodesicTiles<Cell>::bytes(const Index3& size, Connectivity connectivity) {
  // Two planes for cells and limits; the bytes per tile for the queue's words and places, and for
  // flags.
  constexpr std::int64_t kPlanes = 2;
  constexpr std::int64_t kQueue = 64;
  const TileGrid grid = grid_for(size, connectivity);
  const std::int64_t plane = std::int64_t{grid.side()} * grid.side();
  const std::int64_t side_lines = std::int64_t{kUpright + kLimitColumns} * grid.depth() +
                                  (connects_planes(connectivity) ? 2 * grid.side() : 0);
  const std::int64_t cells = kPlanes * plane * grid.depth() + side_lines * grid.side();
  return grid.tile_count() * (cells * static_cast<std::int64_t>(sizeof(Cell)) + kQueue);
}

/// Sets all data of a tile except the copies of its sides. These show until then that it offers
/// nothing.
template <typename Cell>
void GeodesicTiles<Cell>::load(std::int64_t tile, const Fill& fill) {
  if (!grid_.is_whole(tile)) {
    std::fill_n(cells_of(tile), tile_cells_, kLowest);
    std::fill_n(limits_of(tile), tile_cells_, kLowest);
  }
  grid_.for_each_row(tile, [&](std::int64_t offset, int cell, int count) {
    fill(offset, count, cells_of(tile) + cell, limits_of(tile) + cell);
  });
  const int side = grid_.side();
  for (int z = 0; z < grid_.depth(); ++z) {
    const Cell* plane = limits_of(tile) + z * plane_cells_;
    Cell* first = limit_column_of(tile, XLow, z);
    Cell* last = limit_column_of(tile, XHigh, z);
    for (int y = 0; y < side; ++y) {
      first[y] = plane[y * side];
      last[y] = plane[y * side + side - 1];
    }
  }
  loaded_[tile] = 1;
}

/// Transposes the limits anew in each visit that sweeps rows. Keeping them would add a third to the
/// memory traffic.
template <typename Cell>
const Cell* GeodesicTiles<Cell>::turned_limits_of(std::int64_t tile, int z, Worker& worker) {
  Cell* turned = worker.turned_limits.data() + z * plane_cells_;
  if ((worker.has_turned >> z & 1U) == 0) kernel_.turn(limits_of(tile) + z * plane_cells_, turned);
  worker.has_turned |= 1U << z;
  return turned;
}

/// Returns the byte offset of the copy of a side's line.
template <typename Cell>
std::int64_t GeodesicTiles<Cell>::line_at(std::int64_t tile, Side side, int number) const {
  const int before = side <= ZLow ? side * grid_.depth() : ZLow * grid_.depth() + grid_.side();
  return (tile * side_lines_ + before + number) * line_bytes_;
}

/// Reads one line of a side: along y or x for an upright side, along x for z sides.
template <typename Cell>
void GeodesicTiles<Cell>::side_line(const Cell* cells, Side side, int number, Cell* line) const {
  const int length = grid_.side();
  const Cell* plane = cells + number * plane_cells_;
  const Cell* row = cells + std::int64_t{number} * length;
  switch (side) {
    case XLow:
    case XHigh:
      for (int y = 0; y < length; ++y)
        line[y] = plane[y * length + (side == XLow ? 0 : length - 1)];
      return;
    case YLow:
      std::copy_n(plane, length, line);
      return;
    case YHigh:
      std::copy_n(plane + plane_cells_ - length, length, line);
      return;
    case ZLow:
      std::copy_n(row, length, line);
      return;
    case ZHigh:
      std::copy_n(row + tile_cells_ - plane_cells_, length, line);
      return;
  }
}

/// Publishes the parts of the sides that lie in `planes`. Returns bit i if side i changed.
template <typename Cell>
std::uint32_t GeodesicTiles<Cell>::publish(std::int64_t tile, std::uint32_t planes) {
  std::uint32_t changed = 0;
  std::array<Cell, kLongestSide> line{};
  SharedWords words(side_words_.data());
  for (const Side side : {XLow, XHigh, YLow, YHigh, ZLow, ZHigh}) {
    if (side >= ZLow && !along_z_) continue;
    if (side == ZLow && (planes & 1U) == 0) continue;
    if (side == ZHigh && (planes >> (grid_.depth() - 1) & 1U) == 0) continue;
    for (int i = 0; i < lines_of(side); ++i) {
      if (side < ZLow && (planes >> i & 1U) == 0) continue;
      side_line(cells_of(tile), side, i, line.data());
      if (words.update(line_at(tile, side, i), line_bytes_, line.data())) changed |= 1U << side;
    }
  }
  return changed;
}

template <typename Cell>
void GeodesicTiles<Cell>::run(Context& context, const Fill& fill) {
  run_tiles_for({kMostVisits, kMostSweeps}, context, fill);
  if (is_too_much()) flood(context, fill);
}

template <typename Cell>
bool GeodesicTiles<Cell>::run_while_short(Context& context, const Fill& fill) {
  run_tiles_for({kMostVisitsWhileShort, kMostSweepsWhileShort}, context, fill);
  return !is_too_much();
}

template <typename Cell>
void GeodesicTiles<Cell>::run_tiles_for(const Patience& patience, Context& context,
                                        const Fill& fill) {
  patience_ = patience;
  for (Cell* cells : {cells_.get(), limits_.get()}) {
    fetch_pages(context, cells,
                static_cast<std::size_t>(grid_.tile_count() * tile_cells_) * sizeof(Cell));
  }
  TileQueue queue(grid_.tile_count(), 0);
  for (std::int64_t tile = 0; tile < grid_.tile_count(); ++tile)
    queue.wake(tile, 0);
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t tile, int worker, std::vector<Wake>& wakes) {
        // After the limit is exceeded, each queued tile is only removed and recorded.
        if (is_too_much()) {
          left_[tile] = 1;
        } else {
          visit(tile, worker, fill, wakes);
        }
      },
      [&](int) {
        return std::min(0.95, static_cast<double>(visits_.load(std::memory_order_relaxed)) /
                                  static_cast<double>(kUsualVisits * grid_.tile_count()));
      });
}

/// Floods from the remaining tiles: those not visited again after something beside them rose.
template <typename Cell>
void GeodesicTiles<Cell>::flood(Context& context, const Fill& fill) {
  GeodesicFlood<Cell> flood(grid_, connectivity_, cells_.get(), limits_.get());
  using From = typename GeodesicFlood<Cell>::From;
  std::vector<std::int64_t> givers;
  for (std::int64_t tile = 0; tile < grid_.tile_count(); ++tile) {
    if (left_[tile] == 0) continue;
    if (loaded_[tile] == 0) {
      load(tile, fill);
      flood.start_from(tile, From::Everywhere);
    }
    const Index3 place = grid_.place_of(tile);
    for (int dz = -1; dz <= 1; ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx)
          givers.push_back(grid_.neighbour(place, dx, dy, dz));
      }
    }
  }
  std::sort(givers.begin(), givers.end());
  givers.erase(std::unique(givers.begin(), givers.end()), givers.end());
  for (const std::int64_t tile : givers) {
    if (tile >= 0) flood.start_from(tile, From::Sides);
  }
  flood.run(context);
}

template <typename Cell>
bool GeodesicTiles<Cell>::is_too_much() const {
  return visits_.load(std::memory_order_relaxed) > patience_.visits * grid_.tile_count() ||
         sweeps_.load(std::memory_order_relaxed) >
             patience_.sweeps * grid_.tile_count() * grid_.depth();
}

template <typename Cell>
void GeodesicTiles<Cell>::visit(std::int64_t tile, int worker_number, const Fill& fill,
                                std::vector<Wake>& wakes) {
  Worker& worker = workers_[worker_number];
  worker.risen = 0;
  worker.has_turned = 0;
  visits_.fetch_add(1, std::memory_order_relaxed);
  const bool is_first = loaded_[tile] == 0;
  if (is_first) load(tile, fill);
  read_around(grid_.place_of(tile), worker);
  Pending pending = take(tile, worker);
  if (is_first) {
    for (int z = 0; z < grid_.depth(); ++z)
      pending.raise(z);
  }
  if (!pending.any()) return;
  worker.sweeps = 0;
  settle(tile, worker, pending);
  sweeps_.fetch_add(worker.sweeps, std::memory_order_relaxed);
  if (is_first) worker.risen = kAllPlanes;
  if (worker.risen != 0) wake(tile, worker, publish(tile, worker.risen), wakes);
}

template <typename Cell>
Cell* GeodesicTiles<Cell>::around(Worker& worker, int side, int z) const {
  const int length = grid_.side() + 2;
  return worker.around.data() + 1 + length * (z + 1 + (grid_.depth() + 2) * side);
}

template <typename Cell>
Cell* GeodesicTiles<Cell>::offer(Worker& worker, int side, int z) const {
  return worker.offers.data() + grid_.side() * (z + grid_.depth() * side);
}

template <typename Cell>
void GeodesicTiles<Cell>::read_plane(std::int64_t tile, Side side, ApartVector<Cell>& plane) {
  if (tile < 0) {
    std::fill(plane.begin(), plane.end(), kLowest);
    return;
  }
  SharedWords(side_words_.data())
      .read(line_at(tile, side, 0), line_bytes_ * grid_.side(), plane.data());
}

/// Reads the cells around a tile from the copies of its neighbours' sides.
template <typename Cell>
void GeodesicTiles<Cell>::read_around(const Index3& place, Worker& worker) {
  const SharedWords words(side_words_.data());
  const int length = grid_.side();
  const int depth = grid_.depth();
  const bool corners = longest_step_ > 1;
  // Reads a line of a side of the tile (dx, dy, dz) tiles away, or the lowest value outside the
  // grid.
  const auto read_line = [&](int dx, int dy, int dz, Side theirs, int number, Cell* line) {
    const std::int64_t tile = grid_.neighbour(place, dx, dy, dz);
    if (tile < 0) {
      std::fill_n(line, length, kLowest);
    } else {
      words.read(line_at(tile, theirs, number), line_bytes_, line);
    }
  };
  Cell* line = worker.line.data();
  for (const Side side : {XLow, XHigh, YLow, YHigh}) {
    const bool along_y = side <= XHigh;  // direction of the side's lines
    const int way = side == XLow || side == YLow ? -1 : 1;
    const auto theirs = static_cast<Side>(side ^ 1);  // their far side touches our near one
    const int dx = along_y ? way : 0;
    const int dy = along_y ? 0 : way;
    for (int z = corners && along_z_ ? -1 : 0; z < depth + (corners && along_z_ ? 1 : 0); ++z) {
      const int dz = z < 0 ? -1 : static_cast<int>(z >= depth);
      const int number = z < 0 ? depth - 1 : z % depth;
      Cell* to = around(worker, side, z);
      read_line(dx, dy, dz, theirs, number, to);
      if (!corners) continue;
      for (const int end : {-1, 1}) {
        read_line(along_y ? way : end, along_y ? end : way, dz, theirs, number, line);
        (end < 0 ? to[-1] : to[length]) = end < 0 ? line[length - 1] : line[0];
      }
    }
  }
  if (!along_z_) return;
  read_plane(grid_.neighbour(place, 0, 0, -1), ZHigh, worker.above);
  read_plane(grid_.neighbour(place, 0, 0, 1), ZLow, worker.below);
}

/// Sets result[from .. to - 1] to the highest cell across the side that neighbours each cell. These
/// cells lie in a line and in those above and below it, which are side + 2 cells away.
template <typename Cell>
void GeodesicTiles<Cell>::reach(const Cell* lines, int from, int to, Cell* result) const {
  std::copy(lines + from, lines + to, result + from);
  const int length = grid_.side() + 2;
  for (int dz = along_z_ ? -1 : 0; dz <= (along_z_ ? 1 : 0); ++dz) {
    for (int di = -1; di <= 1; ++di) {
      const int step = 1 + std::abs(di) + std::abs(dz);
      if (step == 1 || step > longest_step_) continue;
      const Cell* line = lines + dz * length + di;
      for (int i = from; i < to; ++i)
        result[i] = std::max(result[i], line[i]);
    }
  }
}

/// Reads the offers of the cells around, and finds the planes that gain from them. Raises the first
/// and the last plane by the tiles above and below. The sweeps apply the other offers.
template <typename Cell>
typename GeodesicTiles<Cell>::Pending GeodesicTiles<Cell>::take(std::int64_t tile, Worker& worker) {
  Pending pending;
  const int length = grid_.side();
  const auto gains = [&](const Cell* offers, const Cell* limits, const Cell* own) {
    Cell gain = 0;
    for (int i = 0; i < length; ++i)
      gain = static_cast<Cell>(gain | (std::min(offers[i], limits[i]) > own[i] ? 1 : 0));
    return gain != 0;
  };
  const std::int64_t last_row = plane_cells_ - length;
  for (int z = 0; z < grid_.depth(); ++z) {
    for (const Side side : {XLow, XHigh, YLow, YHigh}) {
      Cell* offers = offer(worker, side, z);
      reach(around(worker, side, z), 0, length, offers);
      const std::int64_t first = z * plane_cells_ + (side == XHigh || side == YHigh ? last_row : 0);
      if (side <= XHigh) {
        // The copy of a column dates from the end of the last visit, so it is current.
        SharedWords(side_words_.data())
            .read(line_at(tile, side, z), line_bytes_, worker.line.data());
        if (gains(offers, limit_column_of(tile, side, z), worker.line.data())) {
          pending.rows |= 1U << z;
        }
      } else if (gains(offers, limits_of(tile) + first, cells_of(tile) + first)) {
        pending.columns |= 1U << z;
      }
    }
  }
  if (!along_z_) return pending;
  const std::int64_t last = tile_cells_ - plane_cells_;
  if (kernel_.sweep_across(worker.above.data(), cells_of(tile), limits_of(tile), across_)) {
    worker.risen |= 1U;
    pending.raise(0);
  }
  if (kernel_.sweep_across(worker.below.data(), cells_of(tile) + last, limits_of(tile) + last,
                           across_)) {
    worker.risen |= 1U << (grid_.depth() - 1);
    pending.raise(grid_.depth() - 1);
  }
  return pending;
}

/// Sweeps columns and rows of one plane.
template <typename Cell>
void GeodesicTiles<Cell>::settle_plane(std::int64_t tile, int z, Worker& worker, Pending& pending) {
  const std::uint32_t plane = 1U << z;
  Cell* cells = cells_of(tile) + z * plane_cells_;
  bool rose = false;
  for (int round = 0; round < kRoundsInPlane && ((pending.columns | pending.rows) & plane) != 0;
       ++round) {
    if ((pending.columns & plane) != 0) {
      pending.columns &= ~plane;
      ++worker.sweeps;
      if (kernel_.sweep(cells, limits_of(tile) + z * plane_cells_, in_plane_,
                        offer(worker, YLow, z), offer(worker, YHigh, z))) {
        rose = true;
        pending.rows |= plane;
        // One sweep each way completes straight columns. Diagonal paths may zigzag.
        if (in_plane_ != Reach::Straight) pending.columns |= plane;
      }
    }
    if ((pending.rows & plane) != 0) {
      pending.rows &= ~plane;
      ++worker.sweeps;
      kernel_.turn(cells, worker.turned.data());
      if (kernel_.sweep(worker.turned.data(), turned_limits_of(tile, z, worker), Reach::Straight,
                        offer(worker, XLow, z), offer(worker, XHigh, z))) {
        kernel_.turn(worker.turned.data(), cells);
        rose = true;
        pending.columns |= plane;
      }
    }
  }
  if (!rose) return;
  worker.risen |= plane;
  pending.up |= plane;
  pending.down |= plane;
}

/// Sweeps until nothing in the tile can rise.
template <typename Cell>
void GeodesicTiles<Cell>::settle(std::int64_t tile, Worker& worker, Pending pending) {
  const int depth = grid_.depth();
  Cell* cells = cells_of(tile);
  const auto pass_on = [&](int from, int to) {
    if (to < 0 || to >= depth) return;
    if (kernel_.sweep_across(cells + from * plane_cells_, cells + to * plane_cells_,
                             limits_of(tile) + to * plane_cells_, across_)) {
      worker.risen |= 1U << to;
      pending.raise(to);
    }
  };
  while (pending.any()) {
    for (int z = 0; z < depth; ++z) {
      settle_plane(tile, z, worker, pending);
      if ((pending.up >> z & 1U) == 0) continue;
      pending.up &= ~(1U << z);
      pass_on(z, z + 1);
    }
    for (int z = depth - 1; z >= 0; --z) {
      settle_plane(tile, z, worker, pending);
      if ((pending.down >> z & 1U) == 0) continue;
      pending.down &= ~(1U << z);
      pass_on(z, z - 1);
    }
  }
}

/// Wakes the tiles with a cell that is lower than an adjacent cell of ours. Their limits are not
/// checked: a tile woken in vain notices that at its sides.
template <typename Cell>
void GeodesicTiles<Cell>::wake(std::int64_t tile, Worker& worker, std::uint32_t changed,
                               std::vector<Wake>& wakes) {
  for (const Side side : {XLow, XHigh, YLow, YHigh}) {
    if ((changed >> side & 1U) != 0) wake_beside(tile, side, worker, wakes);
  }
  for (const Side side : {ZLow, ZHigh}) {
    if ((changed >> side & 1U) == 0) continue;
    const std::int64_t neighbour =
        grid_.neighbour(grid_.place_of(tile), 0, 0, side == ZLow ? -1 : 1);
    if (neighbour >= 0) wakes.push_back({neighbour, 0});
  }
}

/// Handles an upright side: the tile beyond it and, with diagonals, those at its ends, above and
/// below.
template <typename Cell>
void GeodesicTiles<Cell>::wake_beside(std::int64_t tile, Side side, Worker& worker,
                                      std::vector<Wake>& wakes) {
  const int length = grid_.side();
  const int depth = grid_.depth();
  const Index3 place = grid_.place_of(tile);
  const int way = side == XLow || side == YLow ? -1 : 1;
  const SharedWords words(side_words_.data());
  const auto own = [&](int z) { return worker.own.data() + 2 + (length + 2) * (z + 2); };
  for (int z = 0; z < depth; ++z)
    words.read(line_at(tile, side, z), line_bytes_, own(z));
  const int beyond = longest_step_ > 1 ? 1 : 0;
  for (int z = along_z_ ? -beyond : 0; z < depth + (along_z_ ? beyond : 0); ++z) {
    const int dz = z < 0 ? -1 : static_cast<int>(z >= depth);
    const Cell* theirs = around(worker, side, z);
    Cell* offers = worker.line.data() + 1;
    reach(own(z), -beyond, length + beyond, offers);
    const auto wake_at = [&](int end, int from, int to) {
      bool higher = false;
      for (int i = from; i < to; ++i)
        higher |= offers[i] > theirs[i];
      const std::int64_t neighbour = side <= XHigh ? grid_.neighbour(place, way, end, dz)
                                                   : grid_.neighbour(place, end, way, dz);
      if (higher && neighbour >= 0) wakes.push_back({neighbour, 0});
    };
    wake_at(0, 0, length);
    if (beyond == 0) continue;
    wake_at(-1, -1, 0);
    wake_at(1, length, length + 1);
  }
}

template class GeodesicTiles<std::uint8_t>;
template class GeodesicTiles<std::uint16_t>;
template class GeodesicTiles<std::int32_t>;

}  // namespace seedwave
