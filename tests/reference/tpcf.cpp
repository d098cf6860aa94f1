// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/tpcf.h"

#include <cmath>

namespace seedwave::reference {

std::vector<double> tpcf(const LabelMap& phases, std::int64_t phase, std::int64_t window,
                         std::int64_t directions, std::int64_t x, std::int64_t y) {
  const auto is_inside = [&](std::int64_t i, std::int64_t j) {
    return i >= 0 && i < window && j >= 0 && j < window;
  };
  const auto has = [&](std::int64_t i, std::int64_t j) {
    return is_inside(i, j) && phases.at({x + i, y + j, 0}) == phase;
  };
  const auto share = [&](std::int64_t dx, std::int64_t dy) {
    std::int64_t of_phase = 0;
    std::int64_t pairs = 0;
    for (std::int64_t j = 0; j < window; ++j) {
      for (std::int64_t i = 0; i < window; ++i) {
        of_phase += has(i, j) && has(i + dx, j + dy) ? 1 : 0;
        pairs += is_inside(i + dx, j + dy) ? 1 : 0;
      }
    }
    return pairs > 0 ? static_cast<double>(of_phase) / static_cast<double>(pairs) : 0.0;
  };
  std::vector<double> features;
  for (std::int64_t radius = 0; radius <= window / 2; ++radius) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < directions; ++k) {
      const double angle = M_PI * static_cast<double>(k) / static_cast<double>(directions);
      const double dx = static_cast<double>(radius) * std::cos(angle);
      const double dy = static_cast<double>(radius) * std::sin(angle);
      const auto left = static_cast<std::int64_t>(std::floor(dx));
      const auto top = static_cast<std::int64_t>(std::floor(dy));
      const double right_share = dx - std::floor(dx);
      const double bottom_share = dy - std::floor(dy);
      sum += (1 - right_share) * (1 - bottom_share) * share(left, top) +
             right_share * (1 - bottom_share) * share(left + 1, top) +
             (1 - right_share) * bottom_share * share(left, top + 1) +
             right_share * bottom_share * share(left + 1, top + 1);
    }
    features.push_back(sum / static_cast<double>(directions));
  }
  return features;
}

}  // namespace seedwave::reference
