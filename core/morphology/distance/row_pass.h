// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance/kernel.h"
#include "core/morphology/distance/line.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::distance {

/// Names of background voxels: their offset, or the label at that voxel. The smaller name wins if
/// two are equally near.
struct SourceNames {
  std::int64_t columns = 0;
  const std::uint16_t* labels = nullptr;  // null: names are offsets

  /// Returns the name of the nearer of two voxels: `down` rows above and `up` rows below. At least
  /// one exists.
  [[nodiscard]] std::int64_t name(std::int64_t row, std::int64_t column, int down, int up) const {
    const std::int64_t above = (row - down) * columns + column;
    const std::int64_t below = (row + up) * columns + column;
    if (labels == nullptr) return down <= up ? above : below;
    if (down != up) return labels[down < up ? above : below];
    return std::min(labels[above], labels[below]);
  }
};

/// The pass along x, row by row, of one worker.
template <typename Cell>
class RowPass {
 public:
  using Value = ValueOf<Cell>;

  RowPass(const Kernel& kernel, std::int64_t columns, const StepSquares<Cell>& squares,
          double column_weight, const SourceNames& names)
      : kernel_(kernel),
        squares_(squares),
        column_weight_(column_weight),
        names_(names),
        columns_(columns),
        cells_(static_cast<std::size_t>(filled_up(columns, kColumnBlock) + 2 * kMargin),
               kUnknown<Cell>),
        least_(static_cast<std::size_t>(filled_up(columns, kColumnBlock))),
        far_(least_.size() / kBlock<Cell>),
        places_(static_cast<std::size_t>(columns + kFarBlock)),
        values_(places_.size()),
        line_(kernel, squares, columns) {}

  /// Sets which columns have any background, for the rows that follow.
  void know(const std::uint16_t* down, const std::uint16_t* up) {
    known_.clear();
    for (std::int64_t i = 0; i < columns_; ++i) {
      if (std::min(down[i], up[i]) >= kNoneYet) continue;
      places_[known_.size()] = static_cast<Value>(i);
      known_.push_back(static_cast<std::int32_t>(i));
    }
  }

  /// Calls write(squares, count, x) for parts of the row, or zeros() if it is all background.
  template <typename Write, typename Zeros>
  void solve(std::int64_t row, const std::uint16_t* down, const std::uint16_t* up, Write&& write,
             Zeros&& zeros) {
    Cell* cells = cells_.data() + kMargin;
    const bool all_zero = !square(row, down, up, cells);
    if (all_zero && !std::is_same_v<Cell, std::int64_t>) return zeros();  // i64 zeros have names
    // If few columns have any background, the line is too sparse for near() to pay.
    if (static_cast<double>(known_.size()) < kFewColumns * static_cast<double>(columns_)) {
      return write(solve_far(down, up, 0, columns_), columns_, std::int64_t{0});
    }
    // Counts beyond the row belong to voxels that do not exist.
    std::fill(cells + columns_, cells + least_.size(), kUnknown<Cell>);
    const std::int64_t blocks = (columns_ + kBlock<Cell> - 1) / kBlock<Cell>;
    const bool any_far =
        near_of<Cell>(kernel_).near(cells, blocks, 1, squares_.near(), least_.data(), far_.data());
    if (!any_far) return write(std::as_const(least_).data(), columns_, std::int64_t{0});
    for (std::int64_t b = 0; b < blocks;) {
      const std::int64_t start = b;
      while (b < blocks && far_[b] == far_[start])
        ++b;
      const std::int64_t first = start * kBlock<Cell>;
      const std::int64_t last = std::min(b * kBlock<Cell>, columns_);
      if (far_[start] == 0) {
        write(std::as_const(least_).data() + first, last - first, first);
      } else {
        write(solve_far(down, up, first, last), last - first, first);
      }
    }
  }

 private:
  static constexpr double kFewColumns = 0.3;

  bool square(std::int64_t row, const std::uint16_t* down, const std::uint16_t* up, Cell* cells) {
    if constexpr (std::is_same_v<Cell, std::uint16_t>) {
      return kernel_.steps.square(down, up, columns_, cells);
    } else {
      unsigned all = 0;
      for (std::int64_t i = 0; i < columns_; ++i) {
        const int steps = std::min(down[i], up[i]);
        all |= static_cast<unsigned>(steps);
        cells[i] =
            steps < kNoneYet ? cell_of<Cell>(column_weight_ * steps * steps) : kUnknown<Cell>;
        if constexpr (std::is_same_v<Cell, std::int64_t>) {
          if (steps < kNoneYet) cells[i] |= names_.name(row, i, down[i], up[i]);
        }
      }
      return all != 0;
    }
  }

  /// Cells before and after a stretch of far blocks were resolved within kReach steps, and the
  /// position of the nearest cell never decreases. So nothing more than kMargin cells from the
  /// stretch matters.
  const Value* solve_far(const std::uint16_t* down, const std::uint16_t* up, std::int64_t first,
                         std::int64_t last) {
    const std::int64_t begin = std::max<std::int64_t>(first - kMargin, 0);
    const std::int64_t end = std::min(last + kMargin, columns_);
    std::int64_t from = begin;
    std::int64_t count = end - begin;
    if (static_cast<std::int64_t>(known_.size()) < columns_) {
      const auto at_begin = std::lower_bound(known_.begin(), known_.end(), begin);
      from = at_begin - known_.begin();
      count = std::lower_bound(at_begin, known_.end(), end) - at_begin;
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int32_t column = known_[from + i];
        if constexpr (std::is_same_v<Cell, std::uint16_t>) {
          const int steps = std::min(down[column], up[column]);
          values_[i] = steps * steps;
        } else {
          values_[i] = cells_[kMargin + column];
        }
      }
    } else if constexpr (std::is_same_v<Cell, std::uint16_t>) {
      kernel_.steps.square_wide(down + begin, up + begin, count, values_.data());
    } else {
      std::copy_n(cells_.data() + kMargin + begin, count, values_.data());
    }
    std::fill_n(values_.begin() + count, kFarBlock / 2, kUnknown<Value>);
    return line_.solve({places_.data() + from, values_.data(), count}, first, last);
  }

  const Kernel& kernel_;
  const StepSquares<Cell>& squares_;
  double column_weight_;
  SourceNames names_;
  std::int64_t columns_;
  std::vector<Cell> cells_;
  std::vector<Cell> least_;
  std::vector<std::uint8_t> far_;
  std::vector<std::int32_t> known_;
  std::vector<Value> places_;  // the same, in the form for far()
  std::vector<Value> values_;
  FarLine<Cell> line_;
};

}  // namespace seedwave::distance
