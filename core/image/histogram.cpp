// SPDX-License-Identifier: Apache-2.0
#include "core/image/histogram.h"

#include "core/base/error.h"
#include "core/image/sampling_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace seedwave {
namespace {

/// Larger volumes are subsampled: the percentiles change by less than one intensity level.
constexpr std::int64_t kMostSamples = 4'000'000;

constexpr double kLowShare = 0.001;
constexpr double kHighShare = 0.999;
/// Shares for MR: of all voxels, and of those brighter than air. The low end lies in the noise of
/// the air, the high one below vessels and eyes.
constexpr double kMrLowShare = 0.01;
constexpr double kMrHighShare = 0.995;

/// Calls visit(value) for every n-th voxel of the box that is not NaN.
template <typename T, typename Visit>
void sample(std::span<const T> voxels, const Geometry& geometry, const Box& box, Visit&& visit) {
  const std::int64_t width = box.hi[0] - box.lo[0];
  const std::int64_t height = box.hi[1] - box.lo[1];
  const std::int64_t count = width * height * (box.hi[2] - box.lo[2]);
  const std::int64_t step = sampling_step(count, kMostSamples);
  for (std::int64_t i = 0; i < count; i += step) {
    const Index3 index{box.lo[0] + i % width, box.lo[1] + i / width % height,
                       box.lo[2] + i / (width * height)};
    const T value = voxels[static_cast<std::size_t>(geometry.offset(index))];
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) continue;
    }
    visit(static_cast<double>(value));
  }
}

Box clipped(const Box& box, const Geometry& geometry) {
  return box.grown(0, geometry);
}

}  // namespace

GreyWindow GreyWindow::between(double low, double high) noexcept {
  const double scale = std::max({std::abs(low), std::abs(high), 1e-6});
  const double least = scale * 1e-6;
  return {low + (high - low) / 2, std::max(high - low, least)};
}

double Histogram::percentile(double share) const {
  if (total == 0) return low;
  const double wanted = std::clamp(share, 0.0, 1.0) * static_cast<double>(total);
  double below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto here = static_cast<double>(counts[i]);
    if (here > 0 && below + here >= wanted) {
      return low + (static_cast<double>(i) + (wanted - below) / here) * bin_width;
    }
    below += here;
  }
  return low + static_cast<double>(counts.size()) * bin_width;
}

double Histogram::otsu_threshold() const {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum += static_cast<double>(i) * static_cast<double>(counts[i]);
  double below = 0;
  double below_sum = 0;
  double best = -1;
  // Between two distant peaks many thresholds are equally good: the middle one is taken.
  std::size_t best_first = 0;
  std::size_t best_last = 0;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    below += static_cast<double>(counts[i]);
    below_sum += static_cast<double>(i) * static_cast<double>(counts[i]);
    const double above = static_cast<double>(total) - below;
    if (below == 0 || above == 0) continue;
    const double apart = below_sum / below - (sum - below_sum) / above;
    const double between = below * above * apart * apart;
    if (between > best) {
      best = between;
      best_first = i;
    }
    if (between >= best) best_last = i;
  }
  return low + (static_cast<double>(best_first + best_last) / 2 + 1) * bin_width;
}

Histogram histogram(const Volume& volume, const Box& box, int most_bins) {
  require(most_bins > 0);
  const Box inside = clipped(box, volume.geometry());
  Histogram result;
  if (inside.empty() || volume.components() != 1) return result;
  visit_voxels(volume, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    sample<T>(voxels, volume.geometry(), inside, [&](double value) {
      low = std::min(low, value);
      high = std::max(high, value);
    });
    if (low > high) return;
    // One bin per value if the values are few integers, so that percentiles are exact.
    const double values = high - low + 1;
    const bool exact = std::is_integral_v<T> && values <= most_bins;
    const double bins = exact ? values : most_bins;
    result.low = low;
    result.bin_width = exact ? 1.0 : std::max((high - low) / bins, 1e-300);
    result.counts.assign(static_cast<std::size_t>(bins), 0);
    sample<T>(voxels, volume.geometry(), inside, [&](double value) {
      // A mapped input may change between the two passes.
      const double bin = std::clamp((value - low) / result.bin_width, 0.0, bins - 1);
      ++result.counts[static_cast<std::size_t>(bin)];
      ++result.total;
    });
  });
  return result;
}

Histogram histogram(const Volume& volume, int most_bins) {
  return histogram(volume, Box::whole(volume.geometry()), most_bins);
}

GreyWindow automatic_window(const Volume& volume, const Box& box, WindowRule rule) {
  // A few outliers must not squeeze all other values into one bin.
  constexpr int kBins = 1 << 16;
  const Histogram counts = histogram(volume, box, kBins);
  if (counts.total == 0) return {};
  if (rule == WindowRule::Percentiles) {
    return GreyWindow::between(counts.percentile(kLowShare), counts.percentile(kHighShare));
  }
  const double threshold = counts.otsu_threshold();
  Histogram tissue = counts;
  const double bins_below = (threshold - counts.low) / counts.bin_width;
  const auto dark =
      std::min(static_cast<std::size_t>(std::max(bins_below, 0.0)), tissue.counts.size());
  for (std::size_t i = 0; i < dark; ++i) {
    tissue.total -= tissue.counts[i];
    tissue.counts[i] = 0;
  }
  if (tissue.total == 0) tissue = counts;
  return GreyWindow::between(counts.percentile(kMrLowShare), tissue.percentile(kMrHighShare));
}

GreyWindow automatic_window(const Volume& volume, WindowRule rule) {
  return automatic_window(volume, Box::whole(volume.geometry()), rule);
}

}  // namespace seedwave
