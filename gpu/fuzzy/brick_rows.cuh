// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/label_rules.h"
#include "gpu/fuzzy/brick_seeds.cuh"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/row_blocks.h"
#include "gpu/wavefront/bricks.cuh"

#include <cstdint>

/// Conversion from bricks to the rows of a block, from which an answer is assembled.
namespace seedwave::gpu {

/// The bricks of a block of rows. They belong to one slab and are whole except at the grid's end.
struct BrickBlock {
  BrickBlock(const RowBlock& rows, const Bricks& bricks, const Grid& grid)
      : rows(rows),
        pitch(grid.pitch),
        first(bricks.brick_of(0, static_cast<int>(rows.y0), static_cast<int>(rows.z0))),
        count((rows.y1 - rows.y0 + Bricks::kY - 1) / Bricks::kY * bricks.bricks_x) {}

  /// Returns the offset of a cell within the block's rows.
  [[nodiscard]] SEEDWAVE_HD std::int64_t offset(int x, int y, int z) const {
    return x + pitch * rows.row_of(y, z);
  }

  RowBlock rows;
  std::int64_t pitch;
  std::int64_t first;
  std::int64_t count;
};

/// Strengths to several sets of seeds, in brick layout.
struct StrengthPlanes {
  static constexpr int kMost = 3;
  int count = 0;
  const uint4* plane[kMost] = {};
  std::uint16_t label[kMost] = {};  // the label of the seeds
};

/// The greatest strength of each of eight cells, and its label; 0 on a tie.
struct Relative {
  std::uint32_t best[4];
  std::uint32_t label[4];
};

[[nodiscard]] __device__ inline Relative relative_of(const StrengthPlanes& planes, std::int64_t i) {
  Relative relative{};
  for (int k = 0; k < planes.count; ++k) {
    const uint4 four = planes.plane[k][i];
    const std::uint32_t pair[4] = {four.x, four.y, four.z, four.w};
    const std::uint32_t label = planes.label[k] * 0x00010001U;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::uint32_t best = relative.best[j];
      const std::uint32_t above = __vcmpgtu2(pair[j], best);
      const std::uint32_t below = __vcmpltu2(pair[j], best);
      // Equal strengths tie until a stronger one comes. With strength 0 the label is 0 too.
      relative.label[j] = (label & above) | (relative.label[j] & below);
      relative.best[j] = __vmaxu2(pair[j], best);
    }
  }
  return relative;
}

enum class Wanted { Strength, Label };

/// Writes the rows of a block of a relative answer; with one plane, that plane. One thread per
/// chunk. No races: each thread owns the cells of its chunk.
template <Wanted wanted>
__global__ void __launch_bounds__(kBlockSize)
    relative_rows_kernel(const StrengthPlanes planes, const Bricks bricks, const BrickBlock block,
                         std::uint16_t* __restrict__ rows) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= block.count * Bricks::kChunks) return;
  const auto brick = static_cast<int>(block.first + i / Bricks::kChunks);
  const auto chunk = static_cast<int>(i % Bricks::kChunks);
  const int x = bricks.place(brick, 0) * Bricks::kX + chunk % 8 * 2;
  const int y = bricks.place(brick, 1) * Bricks::kY + chunk / 8 % 4 * 4;
  const int z = bricks.place(brick, 2) * Bricks::kZ + chunk / 32;
  if (x >= block.pitch || z >= block.rows.z1) return;
  const Relative relative = relative_of(planes, block.first * Bricks::kChunks + i);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (y + k >= block.rows.y1) return;
    *reinterpret_cast<std::uint32_t*>(rows + block.offset(x, y + k, z)) =
        wanted == Wanted::Strength ? relative.best[k] : relative.label[k];
  }
}

/// Position of a group: the first finds no labels in the rows, and after the last no more come.
struct GroupPlace {
  bool first;
  bool last;
};

/// Converts planes of bits to the rows of a block and joins them with the labels of earlier groups.
/// A cell gets the only label that reaches it, or kTie; after the last group kTie becomes 0. One
/// thread per 16 cells of a row; no races.
static __global__ void __launch_bounds__(kBlockSize)
    label_rows_kernel(const BitRows* __restrict__ planes, const LabelGroup group,
                      const GroupPlace place, const Bricks bricks, const BrickBlock block,
                      std::uint16_t* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= block.count * 128) return;
  const auto brick = static_cast<int>(block.first + i / 128);
  const auto row = static_cast<int>(i % 128);  // within a brick: z, y
  const int x0 = bricks.place(brick, 0) * Bricks::kX;
  const int y = bricks.place(brick, 1) * Bricks::kY + row % 16;
  const int z = bricks.place(brick, 2) * Bricks::kZ + row / 16;
  if (!block.rows.contains(y, z)) return;
  const int lane = row / 4;
  std::uint32_t any = 0;
  std::uint32_t several = 0;
  std::uint16_t label[Bricks::kX] = {};
  for (int k = 0; k < group.count; ++k) {
    const BitRows rows = planes[bit_rows_at(k * bricks.count() + brick, lane)];
    const std::uint32_t bits = (row % 4 < 2 ? rows.x : rows.y) >> 16 * (row % 2) & 0xFFFFU;
    several |= any & bits;
    any |= bits;
#pragma unroll
    for (int x = 0; x < Bricks::kX; ++x) {
      if ((bits >> x & 1U) != 0) label[x] = group.label[k];
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    if (x0 + half * kVector >= block.pitch) return;
    std::uint16_t* const at = labels + block.offset(x0 + half * kVector, y, z);
    U16Vector cells = place.first ? U16Vector{} : load_vector(at);
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      const int x = half * kVector + k;
      const std::uint16_t own = (several >> x & 1U) != 0 ? kTie : label[x];
      const std::uint16_t joined = LabelRule::join(own, cells.cell[k]);
      cells.cell[k] = place.last && joined == kTie ? 0 : joined;
    }
    store_vector(at, cells);
  }
}

}  // namespace seedwave::gpu
