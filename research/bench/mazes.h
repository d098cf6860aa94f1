// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cstdint>

/// Worst cases of wavefronts: corridors and walls one pixel wide, u8, 4 neighbours.
namespace seedwave::bench {

/// Returns 255 on one corridor, back and forth over all rows.
[[nodiscard]] Volume snake(std::int64_t side);
/// Returns 255 on one corridor that winds from the corner to the middle.
[[nodiscard]] Volume spiral(std::int64_t side);

/// Returns the corridors of a perfect maze. A random walk that goes back only when it is stuck
/// makes them long and winding. Binary: all are 255. Grey: each pixel has its own value from 100 to
/// 255.
enum class Corridors { Binary, Grey };
[[nodiscard]] Volume maze(std::int64_t side, Corridors corridors);

/// Returns the image's own value in the first corner, which is the end of every corridor, else 0.
[[nodiscard]] Volume corner_marker(const Volume& image);

}  // namespace seedwave::bench
