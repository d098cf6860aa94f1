// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/geodesic/geodesic_flood.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

namespace seedwave {
namespace {

constexpr double kNearlyDone = 0.97;

/// Calls body.template operator()<count>() with the number as a constant, so loops over neighbours
/// are unrolled.
template <typename Body>
void with_count(std::size_t count, Body&& body) {
  switch (count) {
    case 4:
      return body.template operator()<4>();
    case 6:
      return body.template operator()<6>();
    case 8:
      return body.template operator()<8>();
    case 18:
      return body.template operator()<18>();
    default:
      return body.template operator()<26>();
  }
}

}  // namespace

template <typename Cell>
GeodesicFlood<Cell>::Waiting::Waiting() {
  if constexpr (kNarrow) stacks_.resize(std::size_t{1} << (8 * sizeof(Cell)));
}

template <typename Cell>
void GeodesicFlood<Cell>::Waiting::push(Cell value, std::int64_t cell) {
  if constexpr (kNarrow) {
    stacks_[value].push_back(cell);
    top_ = std::max<std::int64_t>(top_, value);
  } else {
    heap_.emplace(value, cell);
  }
}

template <typename Cell>
bool GeodesicFlood<Cell>::Waiting::empty() const {
  return kNarrow ? top_ < 0 : heap_.empty();
}

template <typename Cell>
Cell GeodesicFlood<Cell>::Waiting::take_highest(std::vector<std::int64_t>& cells) {
  if constexpr (kNarrow) {
    const auto value = static_cast<Cell>(top_);
    cells.swap(stacks_[value]);
    while (top_ >= 0 && stacks_[static_cast<std::size_t>(top_)].empty())
      --top_;
    return value;
  } else {
    const Cell value = heap_.top().first;
    for (; !heap_.empty() && heap_.top().first == value; heap_.pop())
      cells.push_back(heap_.top().second);
    return value;
  }
}

template <typename Cell>
GeodesicFlood<Cell>::GeodesicFlood(const TileGrid& grid, Connectivity connectivity, Cell* cells,
                                   const Cell* limits)
    : grid_(grid),
      steps_(neighbour_steps(connectivity)),
      cells_(cells),
      limits_(limits),
      tile_cells_(std::int64_t{grid.side()} * grid.side() * grid.depth()),
      side_bits_(std::countr_zero(static_cast<unsigned>(grid.side()))),
      tile_bits_(std::countr_zero(static_cast<std::uint64_t>(tile_cells_))) {
  const int side = grid.side();
  const int depth = grid.depth();
  for (std::size_t i = 0; i < steps_.size(); ++i)
    inner_[i] = steps_[i].dx + std::int64_t{side} * (steps_[i].dy + side * steps_[i].dz);
  places_.reserve(static_cast<std::size_t>(grid.tile_count()));
  for (std::int64_t tile = 0; tile < grid.tile_count(); ++tile)
    places_.push_back(grid.place_of(tile));
  for (int z = 0; z < depth; ++z) {
    // A tile of one plane belongs to an image, whose planes are not connected.
    const bool ends_z = depth > 1 && (z == 0 || z == depth - 1);
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const bool ends = x == 0 || x == side - 1 || y == 0 || y == side - 1 || ends_z;
        at_side_.push_back(ends ? 1 : 0);
      }
    }
  }
}

/// The slow path, which determines the tile of each neighbour. It still avoids divisions, because
/// one cell in sixteen of a plane is at a side, and one in three of a volume.
template <typename Cell>
template <typename Body>
void GeodesicFlood<Cell>::for_each_neighbour_across(std::int64_t cell, Body&& body) const {
  const std::int64_t tile = cell >> tile_bits_;
  const auto inside = static_cast<int>(cell & (tile_cells_ - 1));
  const int side = grid_.side();
  const int depth = grid_.depth();
  const int x = inside & (side - 1);
  const int y = inside >> side_bits_ & (side - 1);
  const int z = inside >> (2 * side_bits_);
  for (const NeighbourStep& step : steps_) {
    const int to_x = x + step.dx;
    const int to_y = y + step.dy;
    const int to_z = z + step.dz;
    // Gives -1, 0 or 1, because sides are powers of two.
    const int dx = to_x >> side_bits_;
    const int dy = to_y >> side_bits_;
    const int dz = to_z < 0 ? -1 : static_cast<int>(to_z >= depth);
    const std::int64_t to =
        (dx | dy | dz) == 0 ? tile : grid_.neighbour(places_[std::size_t(tile)], dx, dy, dz);
    if (to < 0) continue;
    body((to << tile_bits_) + (to_x & (side - 1)) + ((to_y & (side - 1)) << side_bits_) +
         ((to_z & (depth - 1)) << (2 * side_bits_)));
  }
}

template <typename Cell>
template <int count, typename Body>
void GeodesicFlood<Cell>::for_each_neighbour(std::int64_t cell, Body&& body) const {
  if (at_side_[static_cast<std::size_t>(cell & (tile_cells_ - 1))] != 0) {
    for_each_neighbour_across(cell, body);
    return;
  }
  for (int i = 0; i < count; ++i)
    body(cell + inner_[static_cast<std::size_t>(i)]);
}

template <typename Cell>
template <int count>
void GeodesicFlood<Cell>::look_at(std::int64_t cell) {
  const Cell value = cells_[cell];
  if (value == std::numeric_limits<Cell>::lowest()) return;
  bool gives = false;
  for_each_neighbour<count>(
      cell, [&](std::int64_t to) { gives |= cells_[to] < value && cells_[to] < limits_[to]; });
  if (gives) waiting_.push(value, cell);
}

template <typename Cell>
void GeodesicFlood<Cell>::start_from(std::int64_t tile, From from) {
  for (std::int64_t i = 0; i < tile_cells_; ++i) {
    if (from == From::Sides && at_side_[static_cast<std::size_t>(i)] == 0) continue;
    with_count(steps_.size(), [&]<int count>() { look_at<count>(tile * tile_cells_ + i); });
  }
}

/// All cells of a value are processed before lower ones. No later value is higher, so each cell has
/// its final value when it is processed. A cell that has risen since it was pushed is skipped.
template <typename Cell>
template <int count>
void GeodesicFlood<Cell>::flood(Context& context) {
  std::vector<std::int64_t> stack;
  std::size_t passed = 0;
  while (!waiting_.empty()) {
    stack.clear();
    const Cell value = waiting_.take_highest(stack);
    while (!stack.empty()) {
      if (passed++ % kCellsPerCheck == 0) context.checkpoint(kNearlyDone);
      const std::int64_t cell = stack.back();
      stack.pop_back();
      if (cells_[cell] != value) continue;
      for_each_neighbour<count>(cell, [&](std::int64_t to) {
        const Cell limit = limits_[to];
        if (cells_[to] >= value || cells_[to] >= limit) return;
        if (limit >= value) {
          cells_[to] = value;
          stack.push_back(to);
        } else {
          cells_[to] = limit;
          waiting_.push(limit, to);
        }
      });
    }
  }
}

template <typename Cell>
void GeodesicFlood<Cell>::run(Context& context) {
  with_count(steps_.size(), [&]<int count>() { flood<count>(context); });
}

template class GeodesicFlood<std::uint8_t>;
template class GeodesicFlood<std::uint16_t>;
template class GeodesicFlood<std::int32_t>;

}  // namespace seedwave
