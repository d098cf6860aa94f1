// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "gpu/morphology/papers/cell_plane.cuh"
#include "gpu/wavefront/rounds.h"

#include <cstdint>
#include <limits>

/// A round of P. Karas, Efficient computation of morphological greyscale reconstruction, MEMICS
/// 2010, as used by Teodoro et al. 2013 (Algorithm 5, lines 2 to 15): all rows, all columns, and
/// both again in reverse, one thread per line; four launches.
namespace seedwave::gpu {

enum class Way { Forward, Backward };

/// Lines of a block: one warp, so that few lines still spread over all multiprocessors.
inline constexpr int kLines = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;
/// Number of cells of a column that are loaded ahead of those being processed.
inline constexpr int kBatch = 8;

template <typename Cell>
inline constexpr int kLowest = std::numeric_limits<Cell>::lowest();

__device__ inline bool round_is_over(const Rounds::Flags& flags) {
  return __ldcg(flags.previous) == 0;
}
__device__ inline void note_change(const Rounds::Flags& flags, bool changed) {
  if (__any_sync(kAllLanes, changed) && threadIdx.x == 0) atomicOr(flags.own, 1);
}

/// Scans along rows: each cell takes from the one before it. A block owns 32 rows, one per lane,
/// and advances in squares of 32 x 32 cells that all lanes read and write row by row. Shared
/// memory: 8448 bytes, marker and mask of a square. No races.
template <typename Cell, Way way>
__global__ void __launch_bounds__(kLines)
    scan_rows_kernel(const CellPlane<Cell> plane, const Rounds::Flags flags) {
  __shared__ std::int32_t cells[kLines][kLines + 1];
  __shared__ std::int32_t limits[kLines][kLines + 1];
  if (round_is_over(flags)) return;
  const int lane = static_cast<int>(threadIdx.x);
  const int first_row = static_cast<int>(blockIdx.x) * kLines;
  const int rows = min(kLines, plane.ny - first_row);
  const int squares = (plane.nx + kLines - 1) / kLines;
  const auto square_at = [&](int i) { return way == Way::Forward ? i : squares - 1 - i; };
  const auto offset_of = [&](int row, int x) {
    return std::int64_t{first_row + row} * plane.nx + x;
  };
  Cell next_cells[kLines];
  Cell next_limits[kLines];
  const auto ask_for = [&](int square) {
    const int x = square * kLines + lane;
#pragma unroll
    for (int row = 0; row < kLines; ++row) {
      const bool inside = row < rows && x < plane.nx;
      next_cells[row] = inside ? plane.marker[offset_of(row, x)] : Cell(kLowest<Cell>);
      next_limits[row] = inside ? plane.mask[offset_of(row, x)] : Cell(kLowest<Cell>);
    }
  };
  ask_for(square_at(0));
  int before = kLowest<Cell>;
  bool ever_changed = false;
  for (int i = 0; i < squares; ++i) {
#pragma unroll
    for (int row = 0; row < kLines; ++row) {
      cells[row][lane] = next_cells[row];
      limits[row][lane] = next_limits[row];
    }
    __syncwarp();
    if (i + 1 < squares) ask_for(square_at(i + 1));
    bool changed = false;
#pragma unroll
    for (int k = 0; k < kLines; ++k) {
      const int x = way == Way::Forward ? k : kLines - 1 - k;
      const int had = cells[lane][x];
      before = min(max(had, before), limits[lane][x]);
      changed |= before != had;
      cells[lane][x] = before;
    }
    __syncwarp();
    if (__any_sync(kAllLanes, changed)) {
      const int x = square_at(i) * kLines + lane;
      for (int row = 0; row < rows; ++row) {
        if (x < plane.nx) plane.marker[offset_of(row, x)] = static_cast<Cell>(cells[row][lane]);
      }
    }
    ever_changed |= changed;
    __syncwarp();  // the square is read before the next one overwrites it
  }
  note_change(flags, ever_changed);
}

/// Scans along columns: each cell takes from the previous row: one cell or, with 8 neighbours
/// (diagonal), three. A block owns 32 columns, one per lane. No shared memory. Races: columns next
/// to a block's belong to other blocks, which may be behind or ahead. A cell is stored whole, and a
/// value read too early is taken in the next round.
template <typename Cell, bool diagonal, Way way>
__global__ void __launch_bounds__(kLines)
    scan_columns_kernel(const CellPlane<Cell> plane, const Rounds::Flags flags) {
  if (round_is_over(flags)) return;
  const int lane = static_cast<int>(threadIdx.x);
  const int x = static_cast<int>(blockIdx.x) * kLines + lane;
  const bool inside = x < plane.nx;
  const int beside = lane == 0 ? x - 1 : x + 1;
  const bool at_side =
      diagonal && (lane == 0 || lane == kLines - 1) && beside >= 0 && beside < plane.nx;
  const auto row_at = [&](int i) { return way == Way::Forward ? i : plane.ny - 1 - i; };
  Cell next_cells[kBatch];
  Cell next_limits[kBatch];
  Cell next_beside[kBatch];
  const auto ask_for = [&](int first) {
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      const int i = first + k;
      const std::int64_t row = std::int64_t{row_at(i)} * plane.nx;
      const bool is_cell = inside && i < plane.ny;
      next_cells[k] = is_cell ? plane.marker[row + x] : Cell(kLowest<Cell>);
      next_limits[k] = is_cell ? plane.mask[row + x] : Cell(kLowest<Cell>);
      if constexpr (diagonal) {
        const bool is_beside = at_side && i > 0 && i < plane.ny;
        next_beside[k] =
            is_beside ? __ldcg(plane.marker + std::int64_t{row_at(i - 1)} * plane.nx + beside)
                      : Cell(kLowest<Cell>);
      }
    }
  };
  ask_for(0);
  int before = kLowest<Cell>;
  bool changed = false;
  for (int first = 0; first < plane.ny; first += kBatch) {
    int cells[kBatch];
    int limits[kBatch];
    int besides[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      cells[k] = next_cells[k];
      limits[k] = next_limits[k];
      if constexpr (diagonal) besides[k] = next_beside[k];
    }
    if (first + kBatch < plane.ny) ask_for(first + kBatch);
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      int offered = before;
      if constexpr (diagonal) {
        const int left = __shfl_up_sync(kAllLanes, before, 1);
        const int right = __shfl_down_sync(kAllLanes, before, 1);
        offered = max(offered,
                      max(lane == 0 ? besides[k] : left, lane == kLines - 1 ? besides[k] : right));
      }
      before = min(max(cells[k], offered), limits[k]);
      if (before == cells[k]) continue;
      changed = true;  // always inside: the limit outside is the lowest value
      plane.marker[std::int64_t{row_at(first + k)} * plane.nx + x] = static_cast<Cell>(before);
    }
  }
  note_change(flags, changed);
}

template <typename Cell, bool diagonal>
void scan_round(const CellPlane<Cell>& plane, const Rounds::Flags& flags, const Stream& stream) {
  const auto row_blocks = static_cast<unsigned>((plane.ny + kLines - 1) / kLines);
  const auto column_blocks = static_cast<unsigned>((plane.nx + kLines - 1) / kLines);
  scan_rows_kernel<Cell, Way::Forward><<<row_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
  scan_columns_kernel<Cell, diagonal, Way::Forward>
      <<<column_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
  scan_rows_kernel<Cell, Way::Backward><<<row_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
  scan_columns_kernel<Cell, diagonal, Way::Backward>
      <<<column_blocks, kLines, 0, stream.get()>>>(plane, flags);
  check_launch(stream.get());
}

/// Launches one round: all rows and columns in both directions. In the round after one without
/// changes every launch ends at once.
template <typename Cell>
void scan_round(const CellPlane<Cell>& plane, Connectivity connectivity, const Rounds::Flags& flags,
                const Stream& stream) {
  if (has_corners(connectivity)) {
    scan_round<Cell, true>(plane, flags, stream);
  } else {
    scan_round<Cell, false>(plane, flags, stream);
  }
}

}  // namespace seedwave::gpu
