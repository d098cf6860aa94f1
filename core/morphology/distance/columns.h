// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/distance/kernel.h"
#include "core/parallel/context.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace seedwave::distance {

/// Steps to the nearest background along each column, for bands of rows that can be processed in
/// any order. First, each band records where its columns begin and end. Then each band gets the
/// steps beyond its ends.
class Columns {
 public:
  /// `objects` is as in DistanceProblem and is borrowed.
  Columns(const std::uint8_t* objects, const Index3& size, const Kernel& kernel, Context& context);

  [[nodiscard]] std::int64_t bands() const { return bands_ * size_[2]; }
  [[nodiscard]] std::int64_t row_count(std::int64_t band) const {
    return std::min(rows_, size_[1] - band % bands_ * rows_);
  }
  /// Returns the number of cells needed for the steps of a band.
  [[nodiscard]] std::size_t band_cells() const { return (rows_ + 1) * stride_; }

  /// Calls start(down, up) with counts that show which columns have any background (both at least
  /// kNoneYet: none). Then calls body(row, down, up) for each row of a band, from the last to the
  /// first. Rows are numbered through all slices.
  template <typename Start, typename Body>
  void for_rows(std::int64_t band, std::uint16_t* steps, Start&& start, Body&& body) const {
    const std::int64_t first = first_row(band);
    const std::int64_t count = row_count(band);
    const std::uint16_t* before = above(band);
    for (std::int64_t r = 0; r < count; ++r) {
      std::uint16_t* down = steps + r * stride_;
      kernel_.steps.count(row(first + r), size_[0], before, down);
      before = down;
    }
    std::uint16_t* up = steps + count * stride_;
    std::copy_n(below(band), stride_, up);
    start(before, up);
    for (std::int64_t r = count - 1; r >= 0; --r) {
      kernel_.steps.count(row(first + r), size_[0], up, up);
      body(first + r, steps + r * stride_, up);
    }
  }

 private:
  [[nodiscard]] const std::uint8_t* row(std::int64_t number) const {
    return objects_ + number * size_[0];
  }
  [[nodiscard]] std::int64_t first_row(std::int64_t band) const {
    return band / bands_ * size_[1] + band % bands_ * rows_;
  }
  [[nodiscard]] std::uint16_t* above(std::int64_t band) { return &beyond_[2 * band * stride_]; }
  [[nodiscard]] std::uint16_t* below(std::int64_t band) { return above(band) + stride_; }
  [[nodiscard]] const std::uint16_t* above(std::int64_t band) const {
    return &beyond_[2 * band * stride_];
  }
  [[nodiscard]] const std::uint16_t* below(std::int64_t band) const {
    return above(band) + stride_;
  }

  void look_beyond(Context& context);
  void carry(std::int64_t slice, const std::vector<std::uint8_t>& firsts,
             const std::vector<std::uint8_t>& lasts);

  const std::uint8_t* objects_;
  Index3 size_;
  const Kernel& kernel_;
  std::int64_t stride_;
  std::int64_t rows_ = 1;
  std::int64_t bands_ = 1;
  /// For each band, the steps at the row above it and at the row below it.
  std::vector<std::uint16_t> beyond_;
};

}  // namespace seedwave::distance
