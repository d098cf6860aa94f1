// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/held_rows.h"
#include "core/texture/kernel.h"
#include "core/texture/strips.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <vector>

namespace seedwave::texture {

/// Cells of a phase in the windows of one column, row by row as words of bits. There are also
/// copies without the first 1, 2 .. window / 2 cells, so rows at a lag are words at two positions.
class BitRows {
 public:
  /// Prepares windows whose first cells lie in column x. Rows above `first_row` and below the image
  /// are empty. Holds `rows` rows at once, from row `begin` on.
  BitRows(const TpcfProblem& problem, std::int64_t phase, std::int64_t x, std::int64_t first_row,
          std::int64_t begin, std::int64_t rows);

  /// Loads the rows first .. last. Neither may decrease.
  void hold(std::int64_t first, std::int64_t last);
  [[nodiscard]] const std::uint64_t* at(std::int64_t row) const {
    return &bits_[static_cast<std::size_t>(rows_.place(row) * words_)];
  }
  /// Returns the pairs of cells at a lag whose first cells lie in `count` rows. `row` is relative
  /// to the row passed to at().
  [[nodiscard]] WordPair pairs(const Lag& lag, std::int64_t row, std::int64_t count) const;

 private:
  void fill(std::int64_t row, std::int64_t place);

  const TpcfProblem& problem_;
  std::int64_t phase_;
  std::int64_t x_;
  std::int64_t first_row_;
  std::int64_t words_;  // per row
  HeldRows rows_;
  std::vector<std::uint64_t> bits_;  // by shift, then by row
};

/// The features of one phase in the windows of one column, from top to bottom. Pairs whose lower
/// row enters are added; pairs whose upper row leaves are subtracted.
class FirstWindows {
 public:
  /// Starts in a band's first column, so far above its strip `first` that the window is empty.
  /// Borrows its arguments.
  FirstWindows(const TpcfProblem& problem, const LagTable& table, const Kernel& kernel,
               std::int64_t phase, const Rectangle& first);

  /// Moves to the next row.
  void go_down();
  [[nodiscard]] std::int64_t row() const { return row_; }
  /// Returns the sums of the current window, times 2^40, by radius.
  [[nodiscard]] const std::vector<std::int64_t>& sums() const { return sums_; }

 private:
  const LagTable& table_;
  const Kernel& kernel_;
  std::int64_t row_;
  BitRows bits_;
  std::vector<WordPair> entering_;
  std::vector<WordPair> leaving_;
  std::vector<std::int32_t> counts_;
  std::vector<std::int32_t> left_;
  std::vector<std::int64_t> sums_;
};

/// Computes features_at() for a checked problem and place.
[[nodiscard]] std::vector<float> features_of_window(const TpcfProblem& problem,
                                                    const LagTable& table, std::int64_t x,
                                                    std::int64_t y);

}  // namespace seedwave::texture
