// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <cstdint>

namespace seedwave::gpu {

/// A grid divided into bricks of 16 x 16 x 8 cells; the last ones extend beyond it.
///
/// A brick is stored as 256 chunks of 16 bytes. Chunk (z, a, p) holds the pairs of cells x = 2p,
/// 2p + 1 of the rows y = 4a .. 4a + 3. Every sweep therefore reads and writes whole chunks:
///   along z  lane (a, p) has chunk (z, a, p) of all z: four lines of 8;
///   along y  lane (z / 2, p) has the chunks of two z, all a: two lines of 16;
///   along x  lane (z, a) has the chunks of all p, transposed so that a pair is two cells along y:
///            two lines of 16.
/// Between sweeps the brick lies in shared memory. Its chunks are permuted within 128 bytes, so
/// that no access has bank conflicts.
struct Bricks {
  static constexpr int kX = 16;
  static constexpr int kY = 16;
  static constexpr int kZ = 8;
  static constexpr int kCells = kX * kY * kZ;
  static constexpr int kChunks = kCells / 8;

  int nx;
  int ny;
  int nz;
  int bricks_x;
  int bricks_y;
  int bricks_z;

  [[nodiscard]] SEEDWAVE_HD std::int64_t brick_of(int x, int y, int z) const {
    return x / kX + bricks_x * (y / kY + static_cast<std::int64_t>(bricks_y) * (z / kZ));
  }
  /// Returns the index of a cell in a plane of u16 in brick layout.
  [[nodiscard]] SEEDWAVE_HD std::int64_t cell_at(int x, int y, int z) const {
    const int chunk = (z % kZ) * 32 + (y % kY) / 4 * 8 + (x % kX) / 2;
    return brick_of(x, y, z) * kCells + chunk * 8 + y % 4 * 2 + x % 2;
  }
  [[nodiscard]] SEEDWAVE_HD std::int64_t count() const {
    return static_cast<std::int64_t>(bricks_x) * bricks_y * bricks_z;
  }
  /// Returns the brick's position along an axis.
  [[nodiscard]] SEEDWAVE_HD int place(int brick, int axis) const {
    if (axis == 0) return brick % bricks_x;
    return axis == 1 ? brick / bricks_x % bricks_y : brick / (bricks_x * bricks_y);
  }
  enum class End { Low, High };
  /// Returns the next brick along an axis, or -1 outside.
  template <int axis, End end>
  [[nodiscard]] SEEDWAVE_HD int beyond(int brick) const {
    const int count = axis == 0 ? bricks_x : (axis == 1 ? bricks_y : bricks_z);
    const int stride = axis == 0 ? 1 : (axis == 1 ? bricks_x : bricks_x * bricks_y);
    if (end == End::Low) return place(brick, axis) > 0 ? brick - stride : -1;
    return place(brick, axis) + 1 < count ? brick + stride : -1;
  }
};

/// Affinities in device memory, each stored at the upper of its two cells. Along z and y they are
/// in the brick layout of cells. Along x they are as the sweep holds them: chunk (j, x / 4) of lane
/// (z, a) holds the pairs of rows 4a + 2j, 4a + 2j + 1 at four x. 0 if an edge leaves the grid or
/// the mask.
struct BrickEdges {
  const uint4* along_x;
  const uint4* along_y;
  const uint4* along_z;
};

}  // namespace seedwave::gpu
