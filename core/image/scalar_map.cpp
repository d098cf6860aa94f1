// SPDX-License-Identifier: Apache-2.0
#include "core/image/scalar_map.h"

#include "core/image/histogram.h"
#include "core/image/sampling_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kMostMapSamples = 1'000'000;
constexpr double kLowMapShare = 0.001;
/// The few strongest values must not make all others faint.
constexpr double kFullShare = 0.99;
/// At this share of zeros or more, zero is the map's background.
constexpr double kNothingShare = 0.25;

double percentile(std::vector<float>& values, double share) {
  const auto place =
      static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return static_cast<double>(values[static_cast<std::size_t>(place)]);
}

}  // namespace

double ScalarMap::shown(double stored) const noexcept {
  if (none && stored == *none) return std::numeric_limits<double>::quiet_NaN();
  return full > 0.0 ? stored / full : stored * scale;
}

MapRange map_range(const ScalarMap& map, double high_share) {
  if (map.full > 0.0) return {.low = 0.0, .high = 1.0, .zero_is_nothing = true};
  const std::int64_t step = sampling_step(map.volume.value_count(), kMostMapSamples);
  std::vector<float> values;
  std::int64_t zeros = 0;
  visit_voxels(map.volume, [&](const auto& voxels) {
    for (std::size_t i = 0; i < voxels.size(); i += static_cast<std::size_t>(step)) {
      const auto value = static_cast<float>(map.shown(static_cast<double>(voxels[i])));
      if (!std::isfinite(value)) continue;
      values.push_back(value);
      zeros += value == 0.0F ? 1 : 0;
    }
  });
  if (values.empty()) return {};
  MapRange range;
  const float least = *std::min_element(values.begin(), values.end());
  range.zero_is_nothing = least == 0.0F && static_cast<double>(zeros) >=
                                               kNothingShare * static_cast<double>(values.size());
  // The few values of small objects must not all lie above the range, so zeros do not count.
  const bool some = range.zero_is_nothing && zeros < static_cast<std::int64_t>(values.size());
  if (some) std::erase(values, 0.0F);
  const GreyWindow window = GreyWindow::between(some ? 0.0 : percentile(values, kLowMapShare),
                                                percentile(values, high_share));
  range.low = window.low();
  range.high = window.high();
  return range;
}

std::shared_ptr<const ScalarMap> as_weight(ScalarMap map) {
  map.range = map_range(map, kFullShare);
  if (map.range.low > 0.0) map.range.low = 0.0;
  return std::make_shared<const ScalarMap>(std::move(map));
}

}  // namespace seedwave
