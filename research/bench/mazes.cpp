// SPDX-License-Identifier: Apache-2.0
#include "research/bench/mazes.h"

#include "research/bench/normal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace seedwave::bench {
namespace {

constexpr std::uint8_t kOpen = 255;

/// A square of walls in which corridors are dug.
class Ground {
 public:
  explicit Ground(std::int64_t side) : side_(side) {
    voxels_.resize(static_cast<std::size_t>(side * side));
  }
  [[nodiscard]] std::uint8_t& at(std::int64_t x, std::int64_t y) {
    return voxels_[static_cast<std::size_t>(x + side_ * y)];
  }
  [[nodiscard]] bool is_open(std::int64_t x, std::int64_t y) {
    return x >= 0 && y >= 0 && x < side_ && y < side_ && at(x, y) != 0;
  }
  [[nodiscard]] bool is_inside(std::int64_t x, std::int64_t y) const {
    return x >= 0 && y >= 0 && x < side_ && y < side_;
  }
  [[nodiscard]] Volume image() && {
    Geometry geometry;
    geometry.size = {side_, side_, 1};
    geometry.unit = LengthUnit::Pixel;
    return Volume(geometry, std::move(voxels_));
  }

 private:
  std::int64_t side_;
  std::vector<std::uint8_t> voxels_;
};

struct Direction {
  std::int64_t dx;
  std::int64_t dy;
};
constexpr std::array<Direction, 4> kAround{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

}  // namespace

Volume snake(std::int64_t side) {
  Ground ground(side);
  for (std::int64_t y = 0; y < side; ++y) {
    if (y % 2 == 0) {
      for (std::int64_t x = 0; x < side; ++x)
        ground.at(x, y) = kOpen;
    } else {
      ground.at(y % 4 == 1 ? side - 1 : 0, y) = kOpen;
    }
  }
  return std::move(ground).image();
}

Volume spiral(std::int64_t side) {
  Ground ground(side);
  std::int64_t x = 0;
  std::int64_t y = 0;
  ground.at(x, y) = kOpen;
  std::size_t way = 0;
  // Continues straight on unless the pixel after the next one, or that towards the middle, belongs
  // to the corridor's own earlier turn.
  const auto is_free = [&](std::size_t number) {
    const Direction& d = kAround[number % 4];
    const Direction& inwards = kAround[(number + 1) % 4];
    return ground.is_inside(x + d.dx, y + d.dy) && !ground.is_open(x + d.dx, y + d.dy) &&
           !ground.is_open(x + 2 * d.dx, y + 2 * d.dy) &&
           !ground.is_open(x + d.dx + inwards.dx, y + d.dy + inwards.dy);
  };
  while (is_free(way) || is_free(way + 1)) {
    if (!is_free(way)) way = (way + 1) % 4;
    x += kAround[way].dx;
    y += kAround[way].dy;
    ground.at(x, y) = kOpen;
  }
  return std::move(ground).image();
}

Volume maze(std::int64_t side, Corridors corridors) {
  Ground ground(side);
  std::vector<Direction> path{{0, 0}};  // the rooms from the corner to this one
  ground.at(0, 0) = kOpen;
  std::uint64_t counter = 0;
  while (!path.empty()) {
    const Direction room = path.back();
    std::array<Direction, 4> ways = kAround;
    std::uint64_t bits = hash(counter++);
    for (std::size_t i = 3; i > 0; --i, bits >>= 8)
      std::swap(ways[i], ways[static_cast<std::size_t>(bits & 0xFFU) % (i + 1)]);
    const auto way = std::find_if(ways.begin(), ways.end(), [&](const Direction& d) {
      const std::int64_t x = room.dx + 2 * d.dx;
      const std::int64_t y = room.dy + 2 * d.dy;
      return ground.is_inside(x, y) && !ground.is_open(x, y);
    });
    if (way == ways.end()) {
      path.pop_back();
      continue;
    }
    ground.at(room.dx + way->dx, room.dy + way->dy) = kOpen;
    path.push_back({room.dx + 2 * way->dx, room.dy + 2 * way->dy});
    ground.at(path.back().dx, path.back().dy) = kOpen;
  }
  if (corridors == Corridors::Grey) {
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        std::uint8_t& pixel = ground.at(x, y);
        if (pixel != 0) {
          pixel = static_cast<std::uint8_t>(
              100 + hash(0x6D617A65U + static_cast<std::uint64_t>(x + side * y)) % 156);
        }
      }
    }
  }
  return std::move(ground).image();
}

Volume corner_marker(const Volume& image) {
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(image.value_count()));
  voxels[0] = image.voxels<std::uint8_t>()[0];
  return Volume(image.geometry(), std::move(voxels));
}

}  // namespace seedwave::bench
