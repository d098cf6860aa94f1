// SPDX-License-Identifier: Apache-2.0
#include "core/io/complete_hints.h"

#include "core/image/sampling_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace seedwave::io {
namespace {

constexpr double kLowest = -1100.0;  // air is -1000, with noise
constexpr double kHighest = 150.0;
constexpr double kBinWidth = 50.0;
constexpr auto kBins = static_cast<std::size_t>((kHighest - kLowest) / kBinWidth);
constexpr std::int64_t kMostSamples = std::int64_t{1} << 22;

/// A histogram of values in Hounsfield units.
struct Counts {
  std::array<std::int64_t, kBins> bins{};
  std::int64_t all = 0;
  /// Number of values below air.
  std::int64_t below = 0;
  /// Number of values equal to the smallest of all, if that is below air: outside the field of
  /// view.
  std::int64_t padding = 0;
};

Counts counts_of(const Volume& volume) {
  return visit_voxels(volume, [](const auto values) {
    const auto size = static_cast<std::int64_t>(values.size());
    const std::int64_t step = sampling_step(size, kMostSamples);
    Counts counts;
    double lowest = kLowest;
    for (std::int64_t i = 0; i < size; i += step) {
      const auto value = static_cast<double>(values[static_cast<std::size_t>(i)]);
      if (!std::isfinite(value)) continue;
      ++counts.all;
      if (value < kLowest) {
        ++counts.below;
        if (value < lowest) counts.padding = 0;
        lowest = std::min(lowest, value);
        if (value == lowest) ++counts.padding;
      } else if (value < kHighest) {
        ++counts.bins[static_cast<std::size_t>((value - kLowest) / kBinWidth)];
      }
    }
    return counts;
  });
}

/// Returns the bins of the values from `from` to `to`.
std::span<const std::int64_t> between(const Counts& counts, double from, double to) {
  return std::span(counts.bins)
      .subspan(static_cast<std::size_t>((from - kLowest) / kBinWidth),
               static_cast<std::size_t>((to - from) / kBinWidth));
}

bool has_values_of_ct(const Volume& volume) {
  constexpr double kMostBelowAir = 0.05;  // after resampling, padding has edges
  constexpr double kLeastAir = 0.005;
  constexpr double kLeastSoftTissue = 0.05;
  constexpr std::int64_t kStandsOut = 3;
  const Counts counts = counts_of(volume);
  const auto share = [&](std::int64_t count) {
    return static_cast<double>(count) / static_cast<double>(std::max<std::int64_t>(1, counts.all));
  };
  const auto sum = [](std::span<const std::int64_t> bins) {
    return std::accumulate(bins.begin(), bins.end(), std::int64_t{0});
  };
  const auto air = between(counts, kLowest, -700.0);
  const auto gap = between(counts, -700.0, -200.0);
  const auto soft = between(counts, -150.0, kHighest);
  const std::int64_t lowest_between = *std::min_element(gap.begin(), gap.end());
  return share(counts.below - counts.padding) <= kMostBelowAir && share(sum(air)) >= kLeastAir &&
         share(sum(soft)) >= kLeastSoftTissue &&
         *std::max_element(air.begin(), air.end()) > kStandsOut * lowest_between &&
         *std::max_element(soft.begin(), soft.end()) > kStandsOut * lowest_between;
}

}  // namespace

void complete_hints(DisplayHints& hints, const Volume& volume) {
  const bool in_patient = volume.geometry().unit == LengthUnit::Millimetre;
  if (!hints.modality.empty() || volume.components() != 1 || !in_patient) return;
  if (!has_values_of_ct(volume)) return;
  hints.modality = "CT";
  if (hints.unit.empty()) hints.unit = "HU";
}

}  // namespace seedwave::io
