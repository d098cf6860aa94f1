// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/gated/gated_tiles.h"

#include "core/base/error.h"
#include "core/wavefront/geodesic/kernel.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace seedwave {

namespace {

using gated::Across;
using gated::kPadding;
using gated::kSide;
using gated::Neighbours;

/// Indexed by side: XLow, XHigh, YLow, YHigh.
constexpr std::array kAcross{Across{gated::Left, gated::AboveLeft, gated::BelowLeft},
                             Across{gated::Right, gated::AboveRight, gated::BelowRight},
                             Across{gated::Above, gated::AboveLeft, gated::AboveRight},
                             Across{gated::Below, gated::BelowLeft, gated::BelowRight}};

/// Reads the tile's first or last column.
template <typename T>
void read_column(const T* cells, bool last, T* column) {
  cells += last ? kSide - 1 : 0;
  for (int y = 0; y < kSide; ++y)
    column[y] = cells[y * kSide];
}
template <typename T>
void write_column(const T* column, bool last, T* cells) {
  cells += last ? kSide - 1 : 0;
  for (int y = 0; y < kSide; ++y)
    cells[y * kSide] = column[y];
}

}  // namespace

GatedTiles::GatedTiles(const TileGrid& grid, Connectivity connectivity, gated::Steps steps,
                       int threads, std::uint16_t* states, std::uint8_t* gates)
    : grid_(grid),
      steps_(steps),
      nothing_(static_cast<std::uint16_t>(steps == gated::Steps::One ? 0xFFFE : 0xFFFF)),
      neighbours_(connectivity == Connectivity::C8 ? Neighbours::Square : Neighbours::Cross),
      kernel_(gated::best_plane_kernel()),
      states_(states),
      gates_(gates),
      gate_columns_(static_cast<std::size_t>(grid.tile_count() * 2 * kSide)),
      side_words_(
          static_cast<std::size_t>(grid.tile_count() * kSides * kLineBytes / SharedWords::kBytes)),
      filled_(static_cast<std::size_t>(grid.tile_count())),
      workers_(static_cast<std::size_t>(threads)) {
  require(grid.side() == kSide && grid.depth() == 1);
  require(connectivity == Connectivity::C4 || connectivity == Connectivity::C8);
  // A tile offers nothing until it is visited.
  std::array<std::uint16_t, SharedWords::kBytes / sizeof(std::uint16_t)> nothing;
  nothing.fill(nothing_);
  for (SharedWords::Word& word : side_words_)
    word.store(std::bit_cast<std::uint64_t>(nothing), std::memory_order_relaxed);
}

void GatedTiles::run(Context& context, const Fill& fill) {
  TileQueue queue(grid_.tile_count(), 0);
  for (std::int64_t tile = 0; tile < grid_.tile_count(); ++tile)
    queue.wake(tile, 0);
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t tile, int worker, std::vector<Wake>& wakes) {
        visit(tile, worker, fill, wakes);
      },
      [](int) { return 0.0; });
}

void GatedTiles::read_line(std::int64_t tile, Side side, std::uint16_t* line) {
  if (tile < 0) {
    std::fill_n(line, kSide, nothing_);
  } else {
    SharedWords(side_words_.data()).read(line_at(tile, side), kLineBytes, line);
  }
}

/// Returns the cell across a corner of a tile.
std::uint16_t GatedTiles::corner(const Index3& place, int dx, int dy) {
  std::uint16_t state = nothing_;
  const std::int64_t tile = grid_.neighbour(place, dx, dy, 0);
  if (tile < 0) return state;
  const int cell = dx < 0 ? kSide - 1 : 0;
  const std::int64_t at =
      line_at(tile, dy < 0 ? YHigh : YLow) + cell * static_cast<std::int64_t>(sizeof(state));
  SharedWords(side_words_.data()).read_value(at, state);
  return state;
}

void GatedTiles::read(std::int64_t tile, std::uint16_t* padded) {
  constexpr int kRow = gated::kPaddedRow;
  const Index3 place = grid_.place_of(tile);
  for (int y = 0; y < kSide; ++y)
    copy_row(states_of(tile) + y * kSide, kSide, padded + y * kRow);
  read_line(grid_.neighbour(place, 0, -1, 0), YHigh, padded - kRow);
  read_line(grid_.neighbour(place, 0, 1, 0), YLow, padded + kSide * kRow);
  std::array<std::uint16_t, kSide> column;
  for (const int dx : {-1, 1}) {
    read_line(grid_.neighbour(place, dx, 0, 0), dx < 0 ? XHigh : XLow, column.data());
    std::uint16_t* to = padded + (dx < 0 ? -1 : kSide);
    for (int y = 0; y < kSide; ++y)
      to[y * kRow] = column[static_cast<std::size_t>(y)];
    to[-kRow] = corner(place, dx, -1);
    to[kSide * kRow] = corner(place, dx, 1);
  }
}

/// Reads the cells around a tile from the copies of its neighbours' sides.
void GatedTiles::read_rim(const Index3& place, Worker& worker) {
  const auto line = [&](Side side) { return worker.around[side].data() + kPadding; };
  read_line(grid_.neighbour(place, -1, 0, 0), XHigh, line(XLow));
  read_line(grid_.neighbour(place, 1, 0, 0), XLow, line(XHigh));
  read_line(grid_.neighbour(place, 0, -1, 0), YHigh, line(YLow));
  read_line(grid_.neighbour(place, 0, 1, 0), YLow, line(YHigh));
  if (neighbours_ == Neighbours::Cross) return;
  for (const int dx : {-1, 1}) {
    for (const int dy : {-1, 1}) {
      const std::uint16_t state = corner(place, dx, dy);
      line(dx < 0 ? XLow : XHigh)[dy < 0 ? -1 : kSide] = state;
      line(dy < 0 ? YLow : YHigh)[dx < 0 ? -1 : kSide] = state;
    }
  }
}

void GatedTiles::visit(std::int64_t tile, int worker_number, const Fill& fill,
                       std::vector<Wake>& wakes) {
  Worker& worker = workers_[static_cast<std::size_t>(worker_number)];
  const bool is_first = filled_[static_cast<std::size_t>(tile)] == 0;
  if (is_first) {
    fill(tile, worker_number);
    for (const Side side : {XLow, XHigh})
      read_column(gates_of(tile), side == XHigh, gate_column_of(tile, side));
    filled_[static_cast<std::size_t>(tile)] = 1;
  }
  read_rim(grid_.place_of(tile), worker);
  bool took = is_first;
  for (const Side side : {XLow, XHigh})
    took |= take_column(tile, side, worker);
  for (const Side side : {YLow, YHigh}) {
    const int first = side == YLow ? 0 : gated::kCells - kSide;
    took |= kernel_.take(worker.around[side].data() + kPadding, gates_of(tile) + first,
                         kAcross[side], steps_, neighbours_, states_of(tile) + first);
  }
  if (!took) return;
  settle(tile, worker);
  show(tile, worker, wakes);
}

/// Lowers a column at a side of the tile by the cells across it. Returns whether something fell.
bool GatedTiles::take_column(std::int64_t tile, Side side, Worker& worker) {
  std::uint16_t* own = worker.own.data();
  read_column(states_of(tile), side == XHigh, own);
  if (!kernel_.take(worker.around[side].data() + kPadding, gate_column_of(tile, side),
                    kAcross[side], steps_, neighbours_, own)) {
    return false;
  }
  write_column(own, side == XHigh, states_of(tile));
  return true;
}

/// Sweeps, alternately upright and transposed, until nothing in the tile can fall.
void GatedTiles::settle(std::int64_t tile, Worker& worker) {
  const auto& turn = geodesic::best_kernel<std::uint16_t, kSide>().turn;
  std::uint16_t* upright = states_of(tile);
  std::uint16_t* turned = worker.turned.data();
  const std::uint8_t* turned_gates = worker.turned_gates.data();
  geodesic::best_kernel<std::uint8_t, kSide>().turn(gates_of(tile), worker.turned_gates.data());
  while (kernel_.sweep(upright, gates_of(tile), gated::Way::Upright, steps_, neighbours_)) {
    turn(upright, turned);
    if (!kernel_.sweep(turned, turned_gates, gated::Way::Turned, steps_, neighbours_)) return;
    turn(turned, upright);
  }
}

/// Publishes the sides, and wakes the tiles with a cell that is higher than an adjacent cell of
/// ours. Their gates are not checked: a tile woken in vain notices that at its rim.
void GatedTiles::show(std::int64_t tile, Worker& worker, std::vector<Wake>& wakes) {
  const Index3 place = grid_.place_of(tile);
  const int step = steps_ == gated::Steps::One ? 1 : 0;
  std::uint16_t* own = worker.own.data() + kPadding;
  for (const Side side : kAllSides) {
    const bool high = side == XHigh || side == YHigh;
    if (side <= XHigh) {
      read_column(states_of(tile), high, own);
    } else {
      std::copy_n(states_of(tile) + (high ? gated::kCells - kSide : 0), kSide, own);
    }
    if (!SharedWords(side_words_.data()).update(line_at(tile, side), kLineBytes, own)) continue;
    const std::uint16_t* theirs = worker.around[side].data() + kPadding;
    const int way = high ? 1 : -1;
    const auto wake = [&](int along) {
      const std::int64_t neighbour = side <= XHigh ? grid_.neighbour(place, way, along, 0)
                                                   : grid_.neighbour(place, along, way, 0);
      if (neighbour >= 0) wakes.push_back({neighbour, 0});
    };
    bool gains = false;
    for (int i = 0; i < kSide; ++i)
      gains |= own[i] + step < theirs[i];
    if (neighbours_ == Neighbours::Square) {
      for (int i = 0; i + 1 < kSide; ++i)
        gains |= own[i] + step < theirs[i + 1] || own[i + 1] + step < theirs[i];
      if (own[0] + step < theirs[-1]) wake(-1);
      if (own[kSide - 1] + step < theirs[kSide]) wake(1);
    }
    if (gains) wake(0);
  }
}

}  // namespace seedwave
