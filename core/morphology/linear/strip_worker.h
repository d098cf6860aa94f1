// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/cell_grid.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/line_cells.h"
#include "core/morphology/linear/strip_lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::linear {

/// Processes one strip after the other, with the memory of one worker.
template <typename Cell>
class StripWorker {
 public:
  StripWorker(const LinearOpeningProblem& problem, const StripLines& lines,
              const CellGrid<Cell>& grid, const Kernel<Cell>& kernel)
      : StripWorker(problem, lines, grid, offsets_along(lines, grid), kernel) {}
  /// Takes separate offsets along a line, for open_at().
  StripWorker(const LinearOpeningProblem& problem, const StripLines& lines,
              const CellGrid<Cell>& grid, std::vector<std::int64_t> offsets,
              const Kernel<Cell>& kernel)
      : problem_(problem),
        lines_(lines),
        grid_(grid),
        kernel_(kernel),
        offsets_(std::move(offsets)) {
    never_ = never<Cell>(problem.filter);
    always_ = always<Cell>(problem.filter);
    constexpr auto width = static_cast<std::size_t>(kWidth);
    outside_.assign(width, outside_value<Cell>(problem.border, problem.filter));
    never_row_.assign(width, never_);
    if (grid.margin >= kWidth && problem.border == LineBorder::Anchor) {
      limit_.assign(static_cast<std::size_t>(grid.size[0] + 2 * kWidth), never_);
      std::fill_n(limit_.begin() + kWidth, grid.size[0], always_);
    }
    across_ = across(lines);
  }
  /// Returns the number of strips: so many across, for each base along the third axis.
  [[nodiscard]] static std::int64_t count(const StripLines& lines) {
    return across(lines) * bases(lines, 3 - lines.major);
  }
  [[nodiscard]] static std::int64_t across(const StripLines& lines) {
    return (bases(lines, 0) + kWidth - 1) / kWidth;
  }
  /// Opens one strip, into the grid.
  void open(std::int64_t number) { open_at(number, base(number)); }
  /// Opens one strip whose position i lies at offset `base` + offsets[i].
  void open_at(std::int64_t number, std::int64_t base) {
    run(number, base, Answers::InGrid);
    for (const Part& part : parts_)
      std::copy(part.cells, part.cells + part.count, grid_.to + part.offset);
  }
  /// Opens one strip and passes on its answers: take(cells, offset, count), for `count` of them
  /// that are contiguous in the grid from that offset on.
  template <typename Take>
  void open(std::int64_t number, Take&& take) {
    run(number, base(number), Answers::Beside);
    for (const Part& part : parts_)
      take(part.cells, part.offset, part.count);
  }

  /// The strongest answers so far, laid out like the grid with its margins. Their numbers follow at
  /// the distance `beside`. The new answers have the number `number`.
  struct Strongest {
    Cell* cells = nullptr;
    std::ptrdiff_t beside = 0;
    Number<Cell> number = 0;
  };
  /// Opens one strip in a grid with margins, and keeps its answers where they are stronger.
  void keep(std::int64_t number, const Strongest& strongest) {
    strongest_ = strongest;
    run(number, base(number), Answers::Kept);
  }

  static constexpr std::int64_t kWidth = kStripLanes<Cell>;

 private:
  enum class Answers { InGrid, Beside, Kept };

  /// Answers that are not stored in the grid.
  struct Part {
    const Cell* cells;
    std::int64_t offset;
    std::int64_t count;
  };

  static std::int64_t bases(const StripLines& lines, int axis) {
    return lines.last_base[axis] - lines.first_base[axis] + 1;
  }
  static std::vector<std::int64_t> offsets_along(const StripLines& lines,
                                                 const CellGrid<Cell>& grid) {
    const Index3 strides{1, grid.row, grid.plane};
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(grid.size[lines.major]));
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      for (int axis = 0; axis < 3; ++axis)
        offsets[i] += lines.shifts[axis][i] * strides[axis];
    }
    return offsets;
  }

  [[nodiscard]] std::int64_t base_x(std::int64_t number) const {
    return lines_.first_base[0] + number % across_ * kWidth;
  }
  [[nodiscard]] std::int64_t base_other(std::int64_t number) const {
    return lines_.first_base[third_axis()] + number / across_;
  }
  [[nodiscard]] std::int64_t base(std::int64_t number) const {
    return base_x(number) + base_other(number) * (lines_.major == 1 ? grid_.plane : grid_.row);
  }

  /// Opens the lines with base x .. x + kWidth - 1 and one base along the third axis.
  void run(std::int64_t number, std::int64_t base, Answers answers) {
    const std::int64_t x = base_x(number);
    const std::int64_t other = base_other(number);
    parts_.clear();
    find_places(x, other);
    const std::int64_t count = last_ - first_;
    if (count <= 0) return;
    length_ = least_length(problem_.border, problem_.length, count);
    const auto [front, behind] = margins(problem_.border, length_);
    front_ = lines_.backwards ? behind : front;
    const std::int64_t blocks = (front_ + count + length_ - 1) / length_;
    begin(blocks, count, answers);
    if (grid_.margin >= kWidth) {
      add_with_margins(x, base, answers);
    } else {
      add_all(x, base, answers);
    }
    const Strip<Cell> strip{.rows = rows_.data(),
                            .opened = opened_.data(),
                            .first = front_,
                            .last = front_ + count,
                            .limits = limits_.data(),
                            .length = length_,
                            .blocks = blocks,
                            .memory = room_for(2 * length_ + 1),
                            .beside = strongest_.beside,
                            .number = strongest_.number};
    if (answers == Answers::Kept) {
      kernel_.keep_strip(strip);
    } else {
      kernel_.open_strip(strip);
    }
  }

  [[nodiscard]] std::int64_t shift(int axis, std::int64_t place) const {
    return lines_.shifts[axis][static_cast<std::size_t>(place)];
  }
  [[nodiscard]] int third_axis() const { return 3 - lines_.major; }

  [[nodiscard]] bool has_lanes(std::int64_t place, std::int64_t x, std::int64_t other) const {
    const std::int64_t left = x + shift(0, place);
    const std::int64_t beside = other + shift(third_axis(), place);
    return left > -kWidth && left < grid_.size[0] && beside >= 0 &&
           beside < grid_.size[third_axis()];
  }

  /// Shifts are monotone, so the positions with lanes inside are contiguous.
  void find_places(std::int64_t x, std::int64_t other) {
    first_ = 0;
    last_ = grid_.size[lines_.major];
    while (first_ < last_ && !has_lanes(first_, x, other))
      ++first_;
    while (first_ < last_ && !has_lanes(last_ - 1, x, other))
      --last_;
  }

  void begin(std::int64_t blocks, std::int64_t count, Answers answers) {
    const auto steps = static_cast<std::size_t>(blocks * length_);
    rows_.assign(steps + static_cast<std::size_t>(length_ + kAhead), outside_.data());
    opened_.resize(steps);
    limits_.assign(steps, nullptr);
    if (problem_.border == LineBorder::Anchor) {
      // The centre of a window that begins there lies beyond the strip.
      for (std::size_t i = static_cast<std::size_t>(count); i < steps; ++i)
        limits_[i] = never_row_.data();
    }
    used_ = 0;
    // At most two rows per position. Rows must not move while others point to them.
    const bool stages = grid_.margin < kWidth || answers == Answers::Beside;
    if (stages) staged_.resize(static_cast<std::size_t>(2 * count * kWidth));
  }

  /// In a grid with margins all rows are alike, except for the limits of windows.
  void add_with_margins(std::int64_t x, std::int64_t base, Answers answers) {
    const std::int64_t count = last_ - first_;
    const std::int64_t* offsets = offsets_.data() + first_;
    point(grid_.from + base, offsets, count, rows_.data() + front_);
    if (answers == Answers::InGrid) point(grid_.to + base, offsets, count, opened_.data() + front_);
    if (answers == Answers::Kept)
      point(strongest_.cells + base, offsets, count, opened_.data() + front_);
    if (answers == Answers::Beside) {
      for (std::int64_t i = 0; i < count; ++i)
        set_beside(i, base + offsets[i], first_lane(x, i), end_lane(x, i));
    }
    if (limit_.empty()) return;
    // Shifts are monotone, so the rows that are wholly inside are contiguous.
    std::int64_t begin = 0;
    std::int64_t end = count;
    while (begin < end && limit(x, begin))
      ++begin;
    while (begin < end && limit(x, end - 1))
      --end;
  }

  /// Returns the first lane inside, at a position of this strip.
  [[nodiscard]] std::int64_t first_lane(std::int64_t x, std::int64_t place) const {
    return std::max<std::int64_t>(0, -x - shift(0, first_ + place));
  }
  [[nodiscard]] std::int64_t end_lane(std::int64_t x, std::int64_t place) const {
    return std::min(kWidth, grid_.size[0] - x - shift(0, first_ + place));
  }
  /// Returns whether some lanes are outside. Windows with their centre there count for nothing.
  bool limit(std::int64_t x, std::int64_t place) {
    const std::int64_t left = x + shift(0, first_ + place);
    if (left >= 0 && left + kWidth <= grid_.size[0]) return false;
    limits_[static_cast<std::size_t>(place)] = limit_.data() + left + kWidth;
    return true;
  }

  template <typename Value>
  static void point(Value* cells, const std::int64_t* offsets, std::int64_t count, auto* pointers) {
    for (std::int64_t i = 0; i < count; ++i)
      pointers[i] = cells + offsets[i];
  }

  void set_beside(std::int64_t place, std::int64_t offset, std::int64_t lane, std::int64_t end) {
    Cell* row = take_row();
    opened_[static_cast<std::size_t>(front_ + place)] = row;
    parts_.push_back({row + lane, offset + lane, end - lane});
  }

  void add_all(std::int64_t x, std::int64_t base, Answers answers) {
    for (std::int64_t along = first_; along < last_; ++along) {
      const std::int64_t left = x + shift(0, along);
      const std::int64_t offset = base + offsets_[static_cast<std::size_t>(along)];
      const std::int64_t lane = std::max<std::int64_t>(0, -left);
      const std::int64_t end = std::min(kWidth, grid_.size[0] - left);
      if (end - lane < kWidth) {
        add_part(along - first_, offset, lane, end);
        continue;
      }
      const auto at = static_cast<std::size_t>(front_ + along - first_);
      rows_[at] = grid_.from + offset;
      if (answers == Answers::InGrid) {
        opened_[at] = grid_.to + offset;
      } else {
        set_beside(along - first_, offset, lane, end);
      }
    }
  }

  /// Adds a row with only the lanes from `lane` to `end` inside, without a margin.
  void add_part(std::int64_t place, std::int64_t offset, std::int64_t lane, std::int64_t end) {
    const auto at = static_cast<std::size_t>(front_ + place);
    Cell* cells = stage(outside_.front(), lane, end);
    std::copy(grid_.from + offset + lane, grid_.from + offset + end, cells + lane);
    rows_[at] = opened_[at] = cells;
    parts_.push_back({cells + lane, offset + lane, end - lane});
    if (problem_.border == LineBorder::Anchor) {
      Cell* limit = stage(never_, lane, end);
      std::fill(limit + lane, limit + end, always_);
      limits_[static_cast<std::size_t>(place)] = limit;
    }
  }

  /// Returns memory for rows, aligned to a cache line. Writing across two lines takes twice as
  /// long.
  Cell* room_for(std::int64_t rows) {
    const auto cells = static_cast<std::size_t>(rows * kWidth);
    if (memory_.size() < cells + kLineBytes) memory_.resize(cells + kLineBytes);
    void* start = memory_.data();
    std::size_t room = memory_.size() * sizeof(Cell);
    return static_cast<Cell*>(std::align(kLineBytes, cells * sizeof(Cell), start, room));
  }

  Cell* take_row() {
    Cell* row = staged_.data() + used_;
    used_ += kWidth;
    return row;
  }

  /// Returns a row whose lanes first .. last - 1 must still be set.
  Cell* stage(Cell value, std::int64_t first, std::int64_t last) {
    Cell* row = take_row();
    std::fill(row, row + first, value);
    std::fill(row + last, row + kWidth, value);
    return row;
  }

  const LinearOpeningProblem& problem_;
  const StripLines& lines_;
  const CellGrid<Cell>& grid_;
  const Kernel<Cell>& kernel_;
  Cell never_;
  Cell always_;
  Strongest strongest_;
  std::int64_t across_ = 0;
  // The current strip: its positions, a window's length, and the positions before it.
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  std::int64_t length_ = 0;
  std::int64_t front_ = 0;
  std::int64_t used_ = 0;
  std::vector<std::int64_t> offsets_;  // offsets of a line's cells
  std::vector<Cell> limit_;            // limits for a row with margins
  std::vector<Cell> outside_;
  std::vector<Cell> never_row_;
  std::vector<Cell> staged_;
  std::vector<Cell> memory_;
  std::vector<const Cell*> rows_;
  std::vector<Cell*> opened_;
  std::vector<const Cell*> limits_;
  std::vector<Part> parts_;
};

}  // namespace seedwave::linear
