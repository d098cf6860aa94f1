// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstddef>
#include <cstdint>

/// What the default solver does with cells, in plain C++ and with AVX2. Which strips and rows there
/// are is the business of strips.cpp.
namespace seedwave::linear {

/// Lines side by side: a place of all of them at once is a row of cells, one a lane.
/// As many as leave a running extreme each way in the registers.
constexpr int kStripBytes = 128;
template <typename Cell>
constexpr int kStripLanes = kStripBytes / static_cast<int>(sizeof(Cell));

/// Rows of an image lie far apart, beyond what a processor fetches by itself.
constexpr std::int64_t kAhead = 8;

/// A number that goes beside a cell, of its type, so that as many fit into a vector.
template <typename Cell>
using Number = Cell;

/// One strip of lines, continued at both ends, cut into blocks of the window's length. Windows
/// begin at the places 0 .. blocks * length - 1.
///
/// A row may be read and written in the same place: it is read for the last time a block before.
template <typename Cell>
struct Strip {
  /// Cells at the places 0 .. (blocks + 1) * length - 1, and kAhead more that are fetched only.
  const Cell* const* rows;
  /// Answers of the places first .. last - 1 are wanted, and go there.
  Cell* const* opened;
  std::int64_t first;
  std::int64_t last;
  /// Null, or what a window that begins there counts for at most (a closing: at least).
  const Cell* const* limits;
  std::int64_t length;
  std::int64_t blocks;
  /// Room for 2 * length + 1 rows, from a cache line on.
  Cell* memory;
  /// Of keep_strip alone: so far behind an answer its number is kept, and this is the new ones'.
  std::ptrdiff_t beside = 0;
  Number<Cell> number = 0;
};

/// Cells that are read or written behind a row's, whatever is there.
constexpr std::int64_t kRowRoom = 192;

/// One row along the windows.
template <typename Cell>
struct Row {
  /// `count` cells, continued by the margins: front + count + behind, and kRowRoom.
  const Cell* cells;
  std::int64_t front;
  std::int64_t count;
  std::int64_t behind;
  std::int64_t length;
  /// Twice room for front + count + behind + length + kRowRoom.
  Cell* memory;
  Cell* opened;
};

/// For openings, and another one for closings.
template <typename Cell>
struct Kernel {
  void (*open_strip)(const Strip<Cell>& strip);
  /// keep_stronger() of the answers, with those that are where they would go.
  void (*keep_strip)(const Strip<Cell>& strip);
  /// By windows of 1, 4, 16, .. cells, the last ones overlapping.
  void (*open_row)(const Row<Cell>& row);
  /// Where an answer is higher (a closing's: lower) than the strongest so far, it is that now, and
  /// `number` stands beside it.
  void (*keep_stronger)(const Cell* answers, std::int64_t count, Number<Cell> number,
                        Cell* strongest, Number<Cell>* numbers);
  /// The stronger answers of two, of equal ones the lower number; in whole vectors, up to one of
  /// which may lie partly behind `count`.
  void (*merge)(const Cell* others, const Number<Cell>* others_numbers, std::int64_t count,
                Cell* strongest, Number<Cell>* numbers);
};

constexpr int kTurnedBytes = 32;

/// to[y + x * to_stride] = from[x + y * from_stride] for x < columns, y < rows.
template <typename Cell>
using Transpose = void (*)(const Cell* from, std::ptrdiff_t from_stride, std::int64_t columns,
                           std::int64_t rows, Cell* to, std::ptrdiff_t to_stride);

template <typename Cell>
struct Kernels {
  Kernel<Cell> opening;
  Kernel<Cell> closing;
  Transpose<Cell> transpose;
  /// Of what is in the cache already: a multiple of kTurnedBytes / 2 bytes of columns, and of
  /// kTurnedBytes bytes of rows.
  Transpose<Cell> transpose_near;

  [[nodiscard]] const Kernel<Cell>& of(LineFilter filter) const {
    return filter == LineFilter::Opening ? opening : closing;
  }
};

/// All of one instruction set.
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

/// The fastest that this processor can run.
[[nodiscard]] const KernelSet& best_kernels();
[[nodiscard]] const KernelSet& plain_kernels();
/// Null where this program was not built for a processor that may have AVX2.
[[nodiscard]] const KernelSet* avx2_kernels();

}  // namespace seedwave::linear
