// SPDX-License-Identifier: Apache-2.0
#include "core/texture/lag_table.h"

#include "core/base/error.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

namespace seedwave {
namespace {

/// Returns cos(pi * p / q), 0 <= p <= q, computed in the octant next to 0 or to pi / 2.
double cosine(std::int64_t p, std::int64_t q) {
  if (2 * p > q) return -cosine(q - p, q);
  if (2 * p == q) return 0.0;
  const auto part = [](std::int64_t a, std::int64_t b) {
    return std::numbers::pi * static_cast<double>(a) / static_cast<double>(b);
  };
  if (4 * p <= q) return std::cos(part(p, q));
  return std::sin(part(q - 2 * p, 2 * q));
}
double sine(std::int64_t p, std::int64_t q) {
  return 2 * p <= q ? cosine(q - 2 * p, 2 * q) : sine(q - p, q);
}

/// Weights of the two cells around a position. A negative position gives the mirror image.
struct Between {
  explicit Between(double place) {
    const double whole = std::floor(std::abs(place));
    const int sign = place < 0.0 ? -1 : 1;
    share[1] = std::abs(place) - whole;
    share[0] = 1.0 - share[1];
    cell[0] = sign * static_cast<int>(whole);
    cell[1] = cell[0] + sign;
  }
  int cell[2];
  double share[2];
};

/// The shares of one lag at the radii that use it. These differ from its length by less than the
/// diagonal of a cell, so there are at most three.
struct Shares {
  static constexpr int kMost = 3;
  int first_radius = -1;
  std::array<double, kMost> shares{};

  void add(int radius, double share) {
    if (first_radius < 0) first_radius = radius;
    assert(radius - first_radius < kMost);
    shares[static_cast<std::size_t>(radius - first_radius)] += share;
  }
};

/// Shares of the lags |dx| <= reach, 0 <= dy <= reach.
class ShareGrid {
 public:
  explicit ShareGrid(std::int64_t reach)
      : reach_(reach), shares_(static_cast<std::size_t>((2 * reach + 1) * (reach + 1))) {}
  [[nodiscard]] Shares& at(std::int64_t dx, std::int64_t dy) {
    return shares_[static_cast<std::size_t>((2 * reach_ + 1) * dy + dx + reach_)];
  }
  void add(int radius, double x, double y) {
    const Between across(x);
    const Between down(y);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        const double share = across.share[i] * down.share[j];
        const int dy = down.cell[j];
        const int dx = dy == 0 ? std::abs(across.cell[i]) : across.cell[i];
        if (share > 0.0) at(dx, dy).add(radius, share);
      }
    }
  }

 private:
  std::int64_t reach_;
  std::vector<Shares> shares_;
};

}  // namespace

void LagTable::add(std::span<const std::int32_t> counts, std::span<std::int64_t> sums) const {
  for (std::size_t i = 0; i < lags.size(); ++i) {
    for (const LagWeight& weight : weights_of(lags[i]))
      sums[static_cast<std::size_t>(weight.radius)] += weight.weight * counts[i];
  }
}

LagTable lag_table(std::int64_t window, std::int64_t directions) {
  if (window < 1 || window > kLargestWindow)
    throw UsageError("a window is 1 to " + std::to_string(kLargestWindow) + " pixels wide, not " +
                     std::to_string(window));
  if (directions < 1 || directions > kMostLagDirections)
    throw UsageError("directions are 1 to " + std::to_string(kMostLagDirections) + ", not " +
                     std::to_string(directions));
  const int reach = static_cast<int>(window / 2);
  ShareGrid grid(reach);
  for (int radius = 0; radius <= reach; ++radius) {
    for (std::int64_t k = 0; k < directions; ++k)
      grid.add(radius, radius * cosine(k, directions), radius * sine(k, directions));
  }
  LagTable table{.window = window};
  for (int dy = 0; dy <= reach; ++dy) {
    for (int dx = dy == 0 ? 0 : -reach; dx <= reach; ++dx) {
      // Directions come in mirrored pairs, but sums of their shares in another order may not be
      // equal.
      const Shares& shares = grid.at(std::abs(dx), dy);
      const auto pairs = static_cast<double>(directions * (window - std::abs(dx)) * (window - dy));
      const auto first = static_cast<std::int32_t>(table.weights.size());
      for (int i = 0; i < Shares::kMost; ++i) {
        const std::int64_t weight =
            std::llround(shares.shares[static_cast<std::size_t>(i)] / pairs * 0x1p40);
        if (weight > 0) table.weights.push_back({shares.first_radius + i, weight});
      }
      const auto last = static_cast<std::int32_t>(table.weights.size());
      if (first < last) table.lags.push_back({dx, dy, first, last});
    }
  }
  return table;
}

}  // namespace seedwave
