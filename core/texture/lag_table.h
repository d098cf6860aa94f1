// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// The pairs of cells of a two-point correlation and their weights (Cooper et al. 2012, equations 2
/// and 3): one integer table for all algorithms and backends.
namespace seedwave {

inline constexpr std::int64_t kLargestWindow = 256;
inline constexpr std::int64_t kMostLagDirections = 256;

/// Returns the number of radii 0 .. window / 2.
[[nodiscard]] constexpr std::int64_t radius_count(std::int64_t window) {
  return window / 2 + 1;
}

/// Contribution of a pair of cells at one lag to the feature of one radius, times 2^40.
struct LagWeight {
  std::int32_t radius;
  std::int64_t weight;
};

/// Pairs of cells p and p + (dx, dy), with dy >= 0, and dx > 0 if dy = 0: a lag and its opposite
/// are the same pairs. The weights are those of the table from `first` up to, but not including,
/// `last`.
struct Lag {
  std::int32_t dx;
  std::int32_t dy;
  std::int32_t first;
  std::int32_t last;
};

/// The weight for radius r and lag d is the mean over the directions of the bilinear coefficient of
/// d at r (cos, sin). It is divided by (window - |dx|) (window - |dy|), the number of pairs in a
/// window. It is computed in f64 and rounded once to a multiple of 2^-40. Cosines and sines are
/// exact on the axes and symmetric about them and the diagonals. (-dx, dy) has the weight of (dx,
/// dy). Plain arrays, for host and device.
struct LagTable {
  std::int64_t window;
  std::vector<Lag> lags;  // by dy, then dx
  std::vector<LagWeight> weights;

  [[nodiscard]] std::span<const LagWeight> weights_of(const Lag& lag) const {
    return std::span(weights).subspan(lag.first, lag.last - lag.first);
  }
  /// Adds weighted counts of pairs to `sums`. There is one count per lag and one sum per radius.
  void add(std::span<const std::int32_t> counts, std::span<std::int64_t> sums) const;
};

/// Returns the table for directions 0, pi / n, 2 pi / n .. below pi. Throws UsageError if the
/// window is not in 1 .. kLargestWindow, or the directions are not in 1 .. kMostLagDirections.
[[nodiscard]] LagTable lag_table(std::int64_t window, std::int64_t directions);

/// Converts a sum of weights times counts of pairs to a feature, with the same rounding everywhere.
/// It is exact in f64, since such a sum is below 2^53.
[[nodiscard]] constexpr float feature_of(std::int64_t sum) {
  return static_cast<float>(static_cast<double>(sum) * 0x1p-40);
}

}  // namespace seedwave
