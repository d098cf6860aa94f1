// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Which pairs of cells a two-point correlation looks at, and what each counts for (Cooper et al.
/// 2012, equations 2 and 3): one table of whole numbers for all algorithms and backends.
namespace seedwave {

inline constexpr std::int64_t kLargestWindow = 256;
inline constexpr std::int64_t kMostLagDirections = 256;

/// Radii 0 .. window / 2.
[[nodiscard]] constexpr std::int64_t radius_count(std::int64_t window) {
  return window / 2 + 1;
}

/// What a pair of cells at one lag adds to the feature of one radius, times 2^40.
struct LagWeight {
  std::int32_t radius;
  std::int64_t weight;
};

/// Cells p and p + (dx, dy), dy >= 0, and dx > 0 where dy = 0: a lag and its opposite are the same
/// pairs. The weights are those from `first` to before `last` of the table.
struct Lag {
  std::int32_t dx;
  std::int32_t dy;
  std::int32_t first;
  std::int32_t last;
};

/// For radius r and lag d the mean over the directions of the bilinear coefficient that d has at
/// r (cos, sin), over (window - |dx|) (window - |dy|), which is how many pairs a window has: in
/// f64, then rounded once to a multiple of 2^-40. Cosines and sines are exact on the axes and the
/// same on either side of them and of the diagonals; (-dx, dy) counts for what (dx, dy) does. Plain
/// arrays, for host and device.
struct LagTable {
  std::int64_t window;
  std::vector<Lag> lags;  // by dy, then dx
  std::vector<LagWeight> weights;

  [[nodiscard]] std::span<const LagWeight> weights_of(const Lag& lag) const {
    return std::span(weights).subspan(lag.first, lag.last - lag.first);
  }
  /// Adds to sums, one a radius, what so many pairs count for, one number a lag.
  void add(std::span<const std::int32_t> counts, std::span<std::int64_t> sums) const;
};

/// Directions 0, pi / n, 2 pi / n .. below pi. Throws UsageError for a window that is not 1 ..
/// kLargestWindow, or directions that are not 1 .. kMostLagDirections.
[[nodiscard]] LagTable lag_table(std::int64_t window, std::int64_t directions);

/// A feature from the sum of its weights times their counts of pairs, as rounded everywhere: exact
/// in f64, since such a sum is below 2^53.
[[nodiscard]] constexpr float feature_of(std::int64_t sum) {
  return static_cast<float>(static_cast<double>(sum) * 0x1p-40);
}

}  // namespace seedwave
