// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/band.h"
#include "core/border/capacities.h"
#include "core/image/volume.h"
#include "gpu/morphology/cell_words.cuh"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

/// The band around a label's border on the device: its cells, and what each says by itself.
namespace seedwave::gpu {

/// Sides of the 32 cells of a word: bit k is set if cell k lies inside, bit 32 + k if its side is
/// not known yet. Both are read and written at once, so that threads may decide on some cells while
/// others look at them.
using SideWord = unsigned long long;

[[nodiscard]] SEEDWAVE_HD inline bool is_inside(SideWord sides, int bit) {
  return (sides >> bit & 1U) != 0;
}
[[nodiscard]] SEEDWAVE_HD inline bool is_open(SideWord sides, int bit) {
  return (sides >> (32 + bit) & 1U) != 0;
}

/// Intensities in device memory.
struct IntensityView {
  const void* voxels;
  VoxelType type;

  [[nodiscard]] __device__ double at(std::int64_t i) const {
    switch (type) {
      case VoxelType::U8:
        return static_cast<const std::uint8_t*>(voxels)[i];
      case VoxelType::I16:
        return static_cast<const std::int16_t*>(voxels)[i];
      case VoxelType::U16:
        return static_cast<const std::uint16_t*>(voxels)[i];
      case VoxelType::I32:
        return static_cast<const std::int32_t*>(voxels)[i];
      default:
        return static_cast<double>(static_cast<const float*>(voxels)[i]);
    }
  }
};

/// Intensities and the capacities that follow from them.
struct CutView {
  CellWords words;
  IntensityView image;
  border::CapacityTables tables;

  [[nodiscard]] __device__ std::int32_t step_at(std::int64_t offset) const {
    return tables.intensities.step_of(image.at(offset));
  }
};

/// A cell whose side is not known, with the capacity of its own evidence and prior.
struct OpenCell {
  CellCode code;
  std::int32_t terminal;
};

/// Rows of cells near a cell, by the smallest square of a distance to them.
struct NearRow {
  int dy;
  int dz;
  std::uint32_t square;
};

[[nodiscard]] inline std::vector<NearRow> near_rows(const border::BandReach& reach) {
  std::vector<NearRow> rows;
  const double most = reach.largest_square();
  const auto [wx, wy, wz] = reach.scale.weights;
  for (int dz = -static_cast<int>(reach.steps[2]); dz <= reach.steps[2]; ++dz) {
    for (int dy = -static_cast<int>(reach.steps[1]); dy <= reach.steps[1]; ++dy) {
      const double square = 1.0 * wy * dy * dy + 1.0 * wz * dz * dz;
      if (square <= most) rows.push_back({dy, dz, static_cast<std::uint32_t>(square)});
    }
  }
  std::ranges::stable_sort(rows, {}, &NearRow::square);
  return rows;
}

/// Limits of a band, for kernels.
struct ReachView {
  int steps;             // along x
  std::uint32_t weight;  // along x
  std::uint32_t limit;
  std::uint32_t largest;
  const NearRow* rows;
  int row_count;
};

/// Reads the sides of a label's cells. A warp per kWordsOfWarp words; no races.
template <typename L>
__global__ void __launch_bounds__(kBlockSize)
    read_sides_kernel(const L* __restrict__ labels, L label, const CellWords words,
                      SideWord* __restrict__ sides) {
  for_words_of_warp(words, [&](std::uint32_t word, const PlacedCell& cell) {
    const bool is_label = cell.x < words.nx && labels[cell.offset(words)] == label;
    const unsigned inside = __ballot_sync(0xFFFFFFFFU, is_label);
    if (cell.bit == 0) sides[word] = inside;
  });
}

/// Marks the cells with another inside (x) and outside (y) within the reach along x. One thread per
/// word; no races.
static __global__ void __launch_bounds__(kBlockSize)
    near_along_x_kernel(const SideWord* __restrict__ sides, const CellWords words, int reach,
                        uint2* __restrict__ near) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words.count()) return;
  const int at = static_cast<int>(word % words.row);
  const auto inside_at = [&](int k) {
    const int place = at + k;
    return place < 0 || place >= words.row ? 0U : static_cast<std::uint32_t>(sides[word + k]);
  };
  const auto outside_at = [&](int k) {
    const int place = at + k;
    if (place < 0 || place >= words.row) return 0U;
    return ~static_cast<std::uint32_t>(sides[word + k]) & words.inside(word + k);
  };
  const auto spread = [&](const auto& at_word) {
    std::uint32_t all = at_word(0);
    for (int first = 0; first <= reach; first += 32) {
      const int k = first / 32;
      const std::uint32_t ahead = at_word(k);
      const std::uint32_t next = at_word(k + 1);
      const std::uint32_t behind = at_word(-k);
      const std::uint32_t before = at_word(-k - 1);
      for (int step = 0; step < 32 && first + step <= reach; ++step)
        all |= __funnelshift_r(ahead, next, step) | __funnelshift_l(before, behind, step);
    }
    return all;
  };
  near[word] = make_uint2(spread(inside_at), spread(outside_at));
}

/// Returns the union over rows within the reach along an axis: `stride` words apart.
[[nodiscard]] __device__ inline uint2 near_along(const uint2* near, std::uint32_t word, int place,
                                                 int size, std::uint32_t stride, int reach) {
  uint2 all = near[word];
  const int up = min(reach, size - 1 - place);
  const int down = min(reach, place);
  for (int step = -down; step <= up; ++step) {
    const uint2 other = near[word + static_cast<std::uint32_t>(step) * stride];
    all.x |= other.x;
    all.y |= other.y;
  }
  return all;
}

/// Does the same along y. One thread per word; no races.
static __global__ void __launch_bounds__(kBlockSize)
    near_along_y_kernel(const uint2* __restrict__ from, const CellWords words, int reach,
                        uint2* __restrict__ to) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= words.count()) return;
  const int y = static_cast<int>(word / words.row % words.ny);
  to[word] = near_along(from, word, y, words.ny, static_cast<std::uint32_t>(words.row), reach);
}

/// Finds the free cells with the other side within the reach along each axis, and counts them. One
/// thread per word; the counter is added to once per block.
static __global__ void __launch_bounds__(kBlockSize)
    candidates_kernel(const uint2* __restrict__ near, const SideWord* __restrict__ sides,
                      const std::uint32_t* __restrict__ free_cells, const CellWords words,
                      int reach, std::uint32_t* __restrict__ candidates,
                      std::uint32_t* __restrict__ counter) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t found = 0;
  if (word < words.count()) {
    const std::uint32_t plane = static_cast<std::uint32_t>(words.row) * words.ny;
    const uint2 both =
        near_along(near, word, static_cast<int>(word / plane), words.nz, plane, reach);
    const auto inside = static_cast<std::uint32_t>(sides[word]);
    found = ((inside & both.y) | (~inside & both.x)) & free_cells[word] & words.inside(word);
    candidates[word] = found;
  }
  static_cast<void>(reserved_in_block(static_cast<std::uint32_t>(__popc(found)), counter));
}

/// Returns the square of the distance along x to the nearest cell of the wanted side in a row of
/// words, or `beyond` if none is within the reach.
[[nodiscard]] __device__ inline std::uint32_t nearest_in_row(const SideWord* row,
                                                             const CellWords& words, int x,
                                                             bool inside, const ReachView& reach,
                                                             std::uint32_t beyond) {
  const auto wanted_at = [&](int word) {
    const auto bits = static_cast<std::uint32_t>(row[word]);
    return inside ? bits : ~bits & words.inside(static_cast<std::uint32_t>(word));
  };
  const int word = x / 32;
  const int bit = x % 32;
  int nearest = reach.steps + 1;
  // At or above x, then below.
  for (int k = word; k < words.row && k * 32 - x < nearest; ++k) {
    const std::uint32_t bits = wanted_at(k) & (k == word ? 0xFFFFFFFFU << bit : 0xFFFFFFFFU);
    if (bits == 0) continue;
    nearest = min(nearest, k * 32 + __ffs(static_cast<int>(bits)) - 1 - x);
    break;
  }
  for (int k = word; k >= 0 && x - (k * 32 + 31) < nearest; --k) {
    const std::uint32_t bits = wanted_at(k) & (k == word ? (1U << bit) - 1U : 0xFFFFFFFFU);
    if (bits == 0) continue;
    nearest = min(nearest, x - (k * 32 + 31 - __clz(static_cast<int>(bits))));
    break;
  }
  if (nearest > reach.steps) return beyond;
  return reach.weight * static_cast<std::uint32_t>(nearest * nearest);
}

/// Measures the candidates' distances; those in the band become open, with their terminal
/// capacities. One thread per candidate. Threads read the inside bits of the sides and set open
/// bits by atomics; `has_nan` is set if an intensity of these cells or their neighbours is NaN.
static __global__ void __launch_bounds__(kBlockSize)
    measure_kernel(const CellCode* __restrict__ candidates, std::uint32_t count, const CutView cut,
                   const ReachView reach, SideWord* sides, OpenCell* __restrict__ open,
                   std::uint32_t* __restrict__ counter, std::uint32_t* __restrict__ has_nan) {
  const CellWords& words = cut.words;
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  OpenCell found{};
  bool in_band = false;
  if (i < count) {
    const PlacedCell cell(words, candidates[i]);
    const bool inside = is_inside(sides[cell.word], cell.bit);
    const std::uint32_t plane = static_cast<std::uint32_t>(words.row) * words.ny;
    std::uint32_t best = reach.largest + 1;
    for (int k = 0; k < reach.row_count; ++k) {
      const NearRow near = reach.rows[k];
      if (near.square >= best) break;
      const int y = cell.y + near.dy;
      const int z = cell.z + near.dz;
      if (y < 0 || y >= words.ny || z < 0 || z >= words.nz) continue;
      const SideWord* row =
          sides + static_cast<std::uint32_t>(z) * plane + static_cast<std::uint32_t>(y) * words.row;
      const std::uint32_t along = nearest_in_row(row, words, cell.x, !inside, reach, best);
      best = min(best, near.square + along);
    }
    in_band = best <= reach.limit;
    const std::int64_t offset = cell.offset(words);
    bool is_nan = false;
    for (int direction = 0; direction < 6; ++direction) {
      const FaceNeighbour to = face_neighbour(words, cell, direction);
      if (!to.exists) continue;
      const bool other = is_inside(sides[to.code >> 5], static_cast<int>(to.code & 31U));
      in_band = in_band || other != inside;
      is_nan = is_nan || isnan(cut.image.at(offset + to.step));
    }
    is_nan = is_nan || isnan(cut.image.at(offset));
    if (in_band && is_nan) *has_nan = 1;
    if (in_band && !is_nan) {
      const auto square = static_cast<std::int32_t>(best);
      found = {candidates[i], cut.tables.terminal(cut.step_at(offset), inside ? square : -square)};
      atomicOr(sides + cell.word, SideWord{1} << (32 + cell.bit));
    }
  }
  append(in_band, found, open, counter);
}

}  // namespace seedwave::gpu
