// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/parallel/context.h"
#include "core/wavefront/tile_grid.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace seedwave::fuzzy {

/// Collects the values of bricks in the image's order.
///
/// brick_of(brick) returns a pointer to the brick's content, or null if all its cells are 0.
/// read(brick, cell, row) reads its 16 cells from `cell`. Throws Cancelled.
template <typename Brick, typename BrickOf, typename Read>
std::vector<std::uint16_t> values_of_bricks(const BrickGrid& grid, Context& context,
                                            BrickOf&& brick_of, Read&& read) {
  constexpr int kLinesPerCheck = 1 << 12;
  const Index3& size = grid.size();
  const auto nx = static_cast<std::size_t>(size[0]);
  const auto ny = static_cast<std::size_t>(size[1]);
  std::vector<Brick> band(static_cast<std::size_t>(grid.band_length()));
  std::int64_t first_brick = -1;
  // Rows are read whole; the last brick's row may extend beyond the grid.
  std::array<std::uint16_t, kSide> whole{};
  return large_vector_of_lines<std::uint16_t>(
      ny * static_cast<std::size_t>(size[2]), nx, [&](std::size_t line, std::uint16_t* values) {
        if (line % kLinesPerCheck == 0 && context.stop_requested()) throw Cancelled();
        const auto place = grid.locate(static_cast<std::int64_t>(line * nx));
        if (place.tile != first_brick) {
          first_brick = place.tile;
          for (std::size_t i = 0; i < band.size(); ++i)
            band[i] = brick_of(first_brick + static_cast<std::int64_t>(i));
        }
        for (std::size_t i = 0; i < band.size(); ++i) {
          const bool inside = (i + 1) * kSide <= nx;
          std::uint16_t* row = inside ? values + i * kSide : whole.data();
          if (band[i] == nullptr) {
            std::fill_n(row, kSide, std::uint16_t{0});
          } else {
            read(band[i], place.cell, row);
          }
          if (!inside) std::copy_n(row, nx - i * kSide, values + i * kSide);
        }
      });
}

}  // namespace seedwave::fuzzy
