// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstddef>
#include <cstdint>

/// Operations of the default solver on cells, in plain C++ and with AVX2. linear_opening.cpp
/// selects the strips and rows.
namespace seedwave::linear {

/// Bytes of a row of cells across a strip of adjacent lines, one lane per line. A running extreme
/// in each direction fits into the registers.
constexpr int kStripBytes = 128;
template <typename Cell>
constexpr int kStripLanes = kStripBytes / static_cast<int>(sizeof(Cell));

/// Rows of an image are far apart, beyond the reach of hardware prefetching.
constexpr std::int64_t kAhead = 8;

/// The number stored beside a cell. It has the cell's type, so as many fit into a vector.
template <typename Cell>
using Number = Cell;

/// One strip of lines, extended at both ends and divided into blocks of the window's length.
/// Windows begin at the positions 0 .. blocks * length - 1.
///
/// A row may be read and written in place: it is read for the last time one block before.
template <typename Cell>
struct Strip {
  /// Cells at the positions 0 .. (blocks + 1) * length - 1, and kAhead more that are only
  /// prefetched.
  const Cell* const* rows;
  /// Output rows for the answers at positions first .. last - 1.
  Cell* const* opened;
  std::int64_t first;
  std::int64_t last;
  /// Null, or an upper bound for a window that begins there (for closings, a lower bound).
  const Cell* const* limits;
  std::int64_t length;
  std::int64_t blocks;
  /// Room for 2 * length + 1 rows, aligned to a cache line.
  Cell* memory;
  /// Used only by keep_strip: the distance from an answer to its number, and the number of the new
  /// answers.
  std::ptrdiff_t beside = 0;
  Number<Cell> number = 0;
};

/// Number of cells after a row that may be read or written with any content.
constexpr std::int64_t kRowRoom = 192;

/// One row along the windows.
template <typename Cell>
struct Row {
  /// `count` cells, extended by the margins: front + count + behind, and kRowRoom.
  const Cell* cells;
  std::int64_t front;
  std::int64_t count;
  std::int64_t behind;
  std::int64_t length;
  /// Room for twice front + count + behind + length + kRowRoom.
  Cell* memory;
  Cell* opened;
};

/// The functions for openings; a second set is for closings.
template <typename Cell>
struct Kernel {
  void (*open_strip)(const Strip<Cell>& strip);
  /// Calls keep_stronger() with the answers and those at their destination.
  void (*keep_strip)(const Strip<Cell>& strip);
  /// Uses windows of 1, 4, 16, .. cells; the last ones overlap.
  void (*open_row)(const Row<Cell>& row);
  /// Replaces the strongest answers so far by higher ones (for closings, lower), and their numbers
  /// by `number`.
  void (*keep_stronger)(const Cell* answers, std::int64_t count, Number<Cell> number,
                        Cell* strongest, Number<Cell>* numbers);
  /// Merges two sets of answers: the stronger wins, and the lower number in a tie. Works in whole
  /// vectors; the last may extend beyond `count`.
  void (*merge)(const Cell* others, const Number<Cell>* others_numbers, std::int64_t count,
                Cell* strongest, Number<Cell>* numbers);
};

constexpr int kTurnedBytes = 32;

/// Sets to[y + x * to_stride] = from[x + y * from_stride] for x < columns, y < rows.
template <typename Cell>
using Transpose = void (*)(const Cell* from, std::ptrdiff_t from_stride, std::int64_t columns,
                           std::int64_t rows, Cell* to, std::ptrdiff_t to_stride);

template <typename Cell>
struct Kernels {
  Kernel<Cell> opening;
  Kernel<Cell> closing;
  Transpose<Cell> transpose;
  /// For data that is already in the cache: a multiple of kTurnedBytes / 2 bytes of columns, and of
  /// kTurnedBytes bytes of rows.
  Transpose<Cell> transpose_near;

  [[nodiscard]] const Kernel<Cell>& of(LineFilter filter) const {
    return filter == LineFilter::Opening ? opening : closing;
  }
};

/// All kernels of one instruction set.
struct KernelSet {
  Kernels<std::uint8_t> u8;
  Kernels<std::uint16_t> u16;
  Kernels<std::int32_t> i32;

  template <typename Cell>
  [[nodiscard]] const Kernels<Cell>& of() const {
    if constexpr (sizeof(Cell) == 1) {
      return u8;
    } else if constexpr (sizeof(Cell) == 2) {
      return u16;
    } else {
      return i32;
    }
  }
};

/// Returns the fastest kernels that this processor can run.
[[nodiscard]] const KernelSet& best_kernels();
[[nodiscard]] const KernelSet& plain_kernels();
/// Returns null if the program was not built for processors with AVX2.
[[nodiscard]] const KernelSet* avx2_kernels();

}  // namespace seedwave::linear
