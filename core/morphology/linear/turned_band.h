// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/linear/cell_grid.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/strip_lines.h"
#include "core/morphology/linear/strip_worker.h"
#include "core/parallel/context.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace seedwave::linear {

/// Opens lines that run mostly along x, one band of strips at a time. The rows of a band are
/// transposed into memory that stays in the cache, opened there, and transposed back. Transposing a
/// whole image would move it to memory and back twice more, on fresh pages.
///
/// A block of columns sees the band through a window of rows: those of the band where it enters the
/// block, followed by as many as its lines sink or rise on the way through. These move to the front
/// for the next band, so each row is transposed once.
template <typename Cell>
class TurnedBand {
 public:
  /// `lines` are those of the transposed image, and must stay in their plane.
  TurnedBand(const LinearOpeningProblem& problem, StripLines lines, const CellGrid<Cell>& image,
             const Kernels<Cell>& kernels)
      : lines_(std::move(lines)),
        image_(image),
        transpose_(kernels.transpose_near),
        outside_(outside_value<Cell>(problem.border, problem.filter)),
        blocks_(static_cast<std::size_t>((image.size[0] + kColumns - 1) / kColumns)) {
    // Aligns windows, and thus the image, to whole steps of rows.
    lines_.first_base[0] = whole_steps(lines_.first_base[0]);
    place_windows();
    cells_ = large_array<Cell>(blocks_.size() * static_cast<std::size_t>(kColumns * stride_),
                               LastPage::Whole);
    turned_ = {
        cells_.get(), cells_.get(), {image.size[1], image.size[0], image.size[2]}, stride_, 0,
        kWidth};
    worker_.emplace(problem, lines_, turned_, offsets(), kernels.of(problem.filter));
  }
  TurnedBand(const TurnedBand&) = delete;
  TurnedBand& operator=(const TurnedBand&) = delete;

  /// Returns the number of strips in a plane.
  [[nodiscard]] std::int64_t count() const { return StripWorker<Cell>::across(lines_); }

  /// Opens the strips first .. last - 1 of a plane. Throws Cancelled.
  void open(std::int64_t plane, std::int64_t first, std::int64_t last, const Context& context) {
    plane_ = plane;
    first_line_ = base(first);
    end_line_ = base(last);
    for (Block& block : blocks_)
      block.is_filled = false;
    for (std::int64_t strip = first; strip < last; strip += strips_) {
      if (context.stop_requested()) throw Cancelled();
      const std::int64_t strips = std::min(strips_, last - strip);
      for (Block& block : blocks_)
        fill(block, base(strip) + block.start);
      for (std::int64_t i = 0; i < strips; ++i)
        worker_->open_at(plane * count() + strip + i, i * kWidth);
      const bool is_last = strip + strips == last;
      for (const Block& block : blocks_)
        take_back(block, base(strip) + block.start, is_last ? window_ : strips_ * kWidth);
    }
  }

 private:
  static constexpr std::int64_t kWidth = StripWorker<Cell>::kWidth;
  /// Two cache lines of a row: hardware prefetching gets the second.
  static constexpr std::int64_t kColumns = 2 * kLineBytes / std::int64_t{sizeof(Cell)};
  static constexpr std::int64_t kStep = kTurnedBytes / std::int64_t{sizeof(Cell)};
  /// Number of rows transposed at once.
  static constexpr std::int64_t kRows = 2 * kStep;
  /// Distance between staged rows. The extra line puts them into different cache sets.
  static constexpr std::int64_t kStageStride = kColumns + kColumns / 2;
  /// Largest size of all windows: that of a level-2 cache. With half of it a window holds one strip
  /// of an image 2048 wide, and the rows that move to the front are as many again.
  static constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
  /// More strips would move fewer rows, but need fresh pages if an image is small.
  static constexpr std::int64_t kMostStrips = 4;

  struct Block {
    std::int64_t x;      // its first column
    std::int64_t end;    // behind its last column
    std::int64_t least;  // smallest shift
    std::int64_t most;
    std::int64_t start;  // start of its window, from the base of a band's first line
    std::int64_t ahead;  // offset to the same cell of the next block's window
    bool is_filled = false;
  };

  static std::int64_t whole_steps(std::int64_t rows) {
    return rows - (rows % kStep + kStep) % kStep;
  }
  [[nodiscard]] std::int64_t base(std::int64_t strip) const {
    return lines_.first_base[0] + strip * kWidth;
  }
  [[nodiscard]] Cell* window(const Block& block) const { return cells_.get() + block.x * stride_; }

  void place_windows() {
    const auto& shifts = lines_.shifts[0];
    std::int64_t reach = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      Block& block = blocks_[i];
      block.x = static_cast<std::int64_t>(i) * kColumns;
      block.end = std::min(block.x + kColumns, image_.size[0]);
      const std::int64_t first = shifts[static_cast<std::size_t>(block.x)];
      const std::int64_t last = shifts[static_cast<std::size_t>(block.end - 1)];
      std::tie(block.least, block.most) = std::minmax({first, last});
      block.start = whole_steps(block.least);
      reach = std::max(reach, block.most - block.start);
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& next = blocks_[std::min(i + 1, blocks_.size() - 1)];
      blocks_[i].ahead = next.x - blocks_[i].x + (next.start - blocks_[i].start) * image_.row;
    }
    reach = whole_steps(reach + kStep - 1);
    const auto columns = static_cast<std::int64_t>(blocks_.size()) * kColumns;
    const std::int64_t most = kMostBytes / (columns * std::int64_t{sizeof(Cell)});
    strips_ = std::clamp<std::int64_t>((most - reach) / kWidth, 1, kMostStrips);
    window_ = strips_ * kWidth + reach;
    stride_ = row_apart<Cell>(window_);
  }

  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> offsets;
    for (const Block& block : blocks_) {
      for (std::int64_t x = block.x; x < block.end; ++x)
        offsets.push_back(x * stride_ + lines_.shifts[0][static_cast<std::size_t>(x)] -
                          block.start);
    }
    return offsets;
  }

  /// Makes a block's window begin at row `top` of the image.
  void fill(Block& block, std::int64_t top) {
    if (top >= image_.size[1] || top + window_ <= 0) return;
    std::int64_t kept = 0;
    if (block.is_filled) {
      kept = window_ - strips_ * kWidth;
      Cell* cells = window(block);
      for (std::int64_t x = block.x; x < block.end; ++x, cells += stride_)
        std::copy_n(cells + strips_ * kWidth, kept, cells);
    }
    block.is_filled = true;
    for (std::int64_t row = kept; row < window_; row += kRows)
      turn_in(block, top, row, std::min(row + kRows, window_));
  }

  void turn_in(const Block& block, std::int64_t top, std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      Cell* staged = stage_ + (row - first) * kStageStride;
      const std::int64_t y = top + row;
      if (y < 0 || y >= image_.size[1]) {
        std::fill_n(staged, kColumns, outside_);
      } else {
        const Cell* from = image_.from + offset(block, y);
        fetch(from + block.ahead);
        copy_row(from, block.end - block.x, staged);
      }
    }
    transpose_(stage_, kStageStride, kColumns, last - first, window(block) + first, stride_);
  }

  /// Copies `rows` rows of a block's window back: those cells whose lines are done.
  void take_back(const Block& block, std::int64_t top, std::int64_t rows) {
    if (!block.is_filled) return;
    const std::int64_t end = std::min(rows, image_.size[1] - top);
    for (std::int64_t row = std::max<std::int64_t>(0, -top); row < end; row += kRows) {
      const std::int64_t last = std::min(row + kRows, end);
      transpose_(window(block) + row, stride_, whole_steps(last - row + kStep - 1), kColumns,
                 stage_, kStageStride);
      for (std::int64_t i = row; i < last; ++i)
        put_row(block, top + i, stage_ + (i - row) * kStageStride);
    }
  }

  void put_row(const Block& block, std::int64_t y, const Cell* staged) const {
    Cell* to = image_.to + offset(block, y);
    fetch(to + block.ahead);
    if (y - block.most >= first_line_ && y - block.least < end_line_) {
      copy_row(staged, block.end - block.x, to);
      return;
    }
    // Shifts are monotone, so the columns whose line is at least first_line_ are contiguous.
    const auto shifts = lines_.shifts[0].begin() + block.x;
    const auto columns = block.end - block.x;
    const bool rises = *shifts <= *(shifts + columns - 1);
    const auto count_lines = [&](auto is_first) {
      return std::partition_point(shifts, shifts + columns, is_first) - shifts;
    };
    const std::int64_t begin = count_lines([&](std::int32_t shift) {
      return rises ? y - shift >= end_line_ : y - shift < first_line_;
    });
    const std::int64_t end = count_lines([&](std::int32_t shift) {
      return rises ? y - shift >= first_line_ : y - shift < end_line_;
    });
    if (begin < end) std::copy(staged + begin, staged + end, to + begin);
  }

  /// Nearly all rows are whole, and then their length is a constant.
  static void copy_row(const Cell* from, std::int64_t count, Cell* to) {
    if (count == kColumns) {
      std::copy_n(from, kColumns, to);
    } else {
      std::copy_n(from, count, to);
    }
  }

  static void fetch(const Cell* row) {
    for (std::int64_t cell = 0; cell < kColumns; cell += kColumns / 2)
      __builtin_prefetch(row + cell, 0, 2);
  }

  [[nodiscard]] std::int64_t offset(const Block& block, std::int64_t y) const {
    return block.x + y * image_.row + plane_ * image_.plane;
  }

  StripLines lines_;
  const CellGrid<Cell>& image_;
  Transpose<Cell> transpose_;
  Cell outside_;
  std::vector<Block> blocks_;
  std::int64_t strips_ = 0;  // strips per band
  std::int64_t window_ = 0;  // rows per window
  std::int64_t stride_ = 0;  // from one column's window to the next
  LargeArray<Cell> cells_;
  CellGrid<Cell> turned_{};
  std::optional<StripWorker<Cell>> worker_;
  alignas(64) Cell stage_[kRows * kStageStride];
  // The current plane and lines.
  std::int64_t plane_ = 0;
  std::int64_t first_line_ = 0;
  std::int64_t end_line_ = 0;
};

}  // namespace seedwave::linear
