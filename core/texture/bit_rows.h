// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/held_rows.h"
#include "core/texture/kernel.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <vector>

namespace seedwave::texture {

/// Which cells of windows in one column belong to a phase, row by row as words of bits, and the
/// same without the first 1, 2 .. window / 2 cells: rows at a lag are words at two places.
class BitRows {
 public:
  /// Of windows whose first cells lie in column x. Rows above `first_row` and below the picture are
  /// empty; so many rows are held at once, from row `begin` on.
  BitRows(const TpcfProblem& problem, std::int64_t phase, std::int64_t x, std::int64_t first_row,
          std::int64_t begin, std::int64_t rows);

  /// Makes the rows first .. last be there; both only grow.
  void hold(std::int64_t first, std::int64_t last);
  [[nodiscard]] const std::uint64_t* at(std::int64_t row) const {
    return &bits_[static_cast<std::size_t>(rows_.place(row) * words_)];
  }
  /// The pairs of cells at a lag whose first cells lie in `count` rows, `row` rows below that which
  /// at() is asked for.
  [[nodiscard]] WordPair pairs(const Lag& lag, std::int64_t row, std::int64_t count) const;

 private:
  void fill(std::int64_t row, std::int64_t place);

  const TpcfProblem& problem_;
  std::int64_t phase_;
  std::int64_t x_;
  std::int64_t first_row_;
  std::int64_t words_;  // a row
  HeldRows rows_;
  std::vector<std::uint64_t> bits_;  // shift by shift, row by row
};

}  // namespace seedwave::texture
