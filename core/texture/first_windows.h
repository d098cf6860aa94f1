// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/bit_rows.h"
#include "core/texture/strips.h"

#include <cstdint>
#include <vector>

namespace seedwave::texture {

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
