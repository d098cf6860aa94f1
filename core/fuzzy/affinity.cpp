// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/affinity.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace seedwave::fuzzy {
namespace {

constexpr int kGreys = 65536;

/// Returns exp(-x^2 / (2 sigma^2)), the square root of the Gaussians of Zhuge et al. 2013, Eq. 2
/// and 3.
///
/// Beyond 15 sigma the value is below 1e-48. Times 4096 it is still 0 in f32, so it is not
/// computed.
double root_gaussian(double x, double sigma) {
  if (std::abs(x) > 15.0 * sigma) return 0.0;
  return std::exp(-(x * x) / (2.0 * sigma * sigma));
}

}  // namespace

ValueRange connectable_range(std::span<const ObjectWindows> objects) {
  require(!objects.empty());
  ValueRange range{std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  for (const ObjectWindows& object : objects) {
    for (const IntensityWindow& window : object) {
      range.low = std::min(range.low, window.m - kWindowReach * window.below);
      range.high = std::max(range.high, window.m + kWindowReach * window.above);
    }
  }
  return range;
}

AffinityTables make_affinity_tables(const AffinityValues& values, const GreyScale& scale) {
  require(values.sigma_h > 0.0);
  AffinityTables tables;
  tables.homogeneity.resize(kGreys);
  for (int d = 0; d < kGreys; ++d) {
    tables.homogeneity[d] =
        static_cast<float>(kFullStrength * root_gaussian(d * scale.step, values.sigma_h));
  }
  for (const ObjectWindows& object : values.objects) {
    require(!object.empty());
    std::vector<float>& table = tables.objects.emplace_back(kGreys);
    for (const IntensityWindow& window : object) {
      require(window.below > 0.0 && window.above > 0.0);
      for (int grey = 0; grey < kGreys; ++grey) {
        const double x = scale.value_of(grey) - window.m;
        const double phi = root_gaussian(x, x < 0.0 ? window.below : window.above);
        table[grey] = std::max(table[grey], static_cast<float>(phi));
      }
    }
  }
  return tables;
}

KappaTables::KappaTables(const AffinityTables& tables) : homogeneity_(tables.homogeneity.data()) {
  objects_.reserve(tables.objects.size());
  for (const auto& table : tables.objects)
    objects_.push_back(table.data());
}

}  // namespace seedwave::fuzzy
