// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/linear_opening.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/morphology/linear/cell_grid.h"
#include "core/morphology/linear/in_parts.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/strip_lines.h"
#include "core/morphology/linear/strip_worker.h"
#include "core/parallel/context.h"
#include "core/parallel/fetch_pages.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace linear {
namespace {

// Many adjacent lines are opened in strips a few vectors wide. Lines mostly along x are followed in
// a transposed image. Lines exactly along x are opened row by row.

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

template <typename Cell>
void open_strips(const LinearOpeningProblem& problem, const StripLines& lines,
                 const CellGrid<Cell>& grid, const Kernel<Cell>& kernel, Context& context) {
  const std::int64_t count = StripWorker<Cell>::count(lines);
  parallel_for(context, count, 1, [&](std::int64_t begin, std::int64_t end) {
    StripWorker<Cell> worker(problem, lines, grid, kernel);
    for (std::int64_t i = begin; i < end; ++i)
      worker.open(i);
  });
}

/// Prefetches a row while the previous one is processed. Otherwise a copy waited for memory for two
/// fifths of the time.
template <typename Cell>
void fetch_row(const Cell* row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += kLineBytes / std::int64_t{sizeof(Cell)})
    __builtin_prefetch(row + i, 0, 2);
}

/// Along x a row's cells have no adjacent lines.
template <typename Cell>
void open_rows(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
               const Kernel<Cell>& kernel, Context& context) {
  const std::int64_t count = grid.size[0];
  const std::int64_t length = least_length(problem.border, problem.length, count);
  const LineMargins beyond = margins(problem.border, length);
  const Cell outside = always<Cell>(problem.filter);
  const auto room =
      static_cast<std::size_t>(beyond.front + count + beyond.behind + length + kRowRoom);
  const auto offset_of = [&](std::int64_t row) {
    return row % grid.size[1] * grid.row + row / grid.size[1] * grid.plane;
  };
  parallel_for(context, grid.size[1] * grid.size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Cell> cells(room, outside);
    std::vector<Cell> memory(2 * room);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t offset = offset_of(i);
      std::copy_n(grid.from + offset, count, cells.begin() + beyond.front);
      fetch_row(grid.from + offset_of(std::min(i + 1, end - 1)), count);
      kernel.open_row({cells.data(), beyond.front, count, beyond.behind, length, memory.data(),
                       grid.to + offset});
    }
  });
}

template <typename Cell>
void open_turned(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                 const Kernels<Cell>& kernels, const Kernel<Cell>& kernel, Context& context) {
  const CellsWithMargins<Cell> turned =
      turned_cells(grid, StripWorker<Cell>::kWidth,
                   outside_value<Cell>(problem.border, problem.filter), kernels.transpose, context);
  open_strips(problem, turned_strip_lines(problem.lines), turned.grid(), kernel, context);
  turn(turned.grid().to, turned.grid(), grid.to, grid, kernels.transpose, context);
}

/// Opens lines along x and y, but not z. Each thread has its own part of a plane. Where two parts
/// meet, rows are transposed twice.
template <typename Cell>
void open_bands(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                const Kernels<Cell>& kernels, Context& context) {
  const StripLines lines = turned_strip_lines(problem.lines);
  const std::int64_t planes = grid.size[2];
  const std::int64_t pieces = planes >= context.threads() ? 1 : context.threads();
  parallel_for(context, planes * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    TurnedBand<Cell> band(problem, lines, grid, kernels);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t piece = i % pieces;
      band.open(i / pieces, piece * band.count() / pieces, (piece + 1) * band.count() / pieces,
                context);
    }
  });
}

template <typename Cell>
void open_cells(const LinearOpeningProblem& problem, const CellGrid<Cell>& grid,
                const KernelSet& set, Context& context) {
  const Kernels<Cell>& kernels = set.of<Cell>();
  const Kernel<Cell>& kernel = kernels.of(problem.filter);
  if (problem.lines.major() != 0) {
    open_strips(problem, strip_lines(problem.lines), grid, kernel, context);
  } else if (is_straight(problem.lines)) {
    open_rows(problem, grid, kernel, context);
  } else if (is_diagonal(problem.lines)) {
    open_strips(problem, diagonals_along_y(problem.lines), grid, kernel, context);
  } else if (problem.lines.shifts(2).back() == 0) {
    open_bands(problem, grid, kernels, context);
  } else {
    open_turned(problem, grid, kernels, kernel, context);
  }
}

}  // namespace
}  // namespace linear

LineMargins margins(LineBorder border, std::int64_t length) noexcept {
  switch (border) {
    case LineBorder::Anchor:
      return {length / 2, length - 1 - length / 2};
    case LineBorder::Inside:
      return {0, 0};
    case LineBorder::Ignore:
      break;
  }
  return {length - 1, length - 1};
}

void check(const LinearOpeningProblem& problem) {
  if (problem.length < 1)
    throw UsageError("a line needs a length of at least 1, not " + std::to_string(problem.length));
  if (problem.image.components() != 1)
    throw InputError("linear openings need one value per voxel, the image has " +
                     std::to_string(problem.image.components()));
  if (problem.lines.size() != problem.image.geometry().size)
    throw UsageError("the lines are those of an image of another size");
  refuse_nan(problem.image, "the image");
}

namespace linear {
namespace {

Volume open_whole(const LinearOpeningProblem& problem, const KernelSet& kernels, Context& context) {
  const Geometry& geometry = problem.image.geometry();
  const Index3& size = geometry.size;
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    using Cell = CellOf<Voxel>;
    auto opened = large_array<Voxel>(context, voxels.size());
    if constexpr (std::is_same_v<Voxel, Cell>) {
      open_cells<Cell>(problem, {voxels.data(), opened.get(), size, size[0], size[0] * size[1]},
                       kernels, context);
    } else {
      constexpr std::int64_t kGrain = 1 << 16;
      const auto cells = large_array<Cell>(context, voxels.size());
      parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
        to_cells(voxels.data() + begin, end - begin, false, cells.get() + begin);
      });
      open_cells<Cell>(problem, {cells.get(), cells.get(), size, size[0], size[0] * size[1]},
                       kernels, context);
      parallel_for(context, std::ssize(voxels), kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
          opened[i] = filtered_voxel<Voxel>(cells[i], problem.filter);
      });
    }
    return Volume(geometry, std::move(opened));
  });
}

}  // namespace
}  // namespace linear

Volume linear_opening(const LinearOpeningProblem& problem, Context& context) {
  return linear_opening_in_strips(problem, linear::best_kernels(), context);
}

Volume linear_opening_in_strips(const LinearOpeningProblem& problem,
                                const linear::KernelSet& kernels, Context& context) {
  check(problem);
  const auto stage = context.stage(problem.filter == LineFilter::Opening ? "opening" : "closing");
  return linear::opening_in_parts(
      problem,
      [&](const LinearOpeningProblem& part, Context& own) {
        return linear::open_whole(part, kernels, own);
      },
      context);
}

}  // namespace seedwave
