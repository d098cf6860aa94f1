// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cstdint>

/// Worst cases of wavefronts: corridors one pixel wide, walls one pixel wide, u8, 4 neighbours.
namespace seedwave::bench {

/// 255 on one corridor, there and back over all rows.
[[nodiscard]] Volume snake(std::int64_t side);
/// 255 on one corridor, from the corner round and round to the middle.
[[nodiscard]] Volume spiral(std::int64_t side);

/// The corridors of a perfect maze: a random walk that goes back only where it is stuck, and so
/// winds long. Binary: all 255. Grey: each pixel its own value from 100 to 255.
enum class Corridors { Binary, Grey };
[[nodiscard]] Volume maze(std::int64_t side, Corridors corridors);

/// The image's own value in the first corner, which is on every corridor's end, else 0.
[[nodiscard]] Volume corner_marker(const Volume& image);

}  // namespace seedwave::bench
