// SPDX-License-Identifier: Apache-2.0
#include "core/ops/tpcf_means.h"

#include "core/ops/phase_picture.h"
#include "core/ops/texture_parameters.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

namespace seedwave {
namespace {

/// More windows a label would tell little more.
constexpr std::int64_t kMostPlaces = 1000;
constexpr const char* kCacheKey = "two-point correlations of labels";

struct LabelMeans {
  TpcfWindows windows;
  std::vector<Seed> seeds;
  std::map<std::uint16_t, TpcfCurves> means;
};

/// As many as may be, evenly picked in the order of the pixels.
std::map<std::uint16_t, std::vector<PixelIndex>> places_of(const SeedVoxels& seeds,
                                                           const Geometry& grid) {
  std::map<std::uint16_t, std::vector<std::int64_t>> offsets;
  for (const Seed& seed : seeds.seeds)
    offsets[seed.label].push_back(seed.offset);
  std::map<std::uint16_t, std::vector<PixelIndex>> places;
  for (const auto& [label, all] : offsets) {
    const auto there = std::ssize(all);
    const std::int64_t count = std::min<std::int64_t>(there, kMostPlaces);
    for (std::int64_t i = 0; i < count; ++i) {
      const Index3 index = grid.index_of(all[static_cast<std::size_t>(i * there / count)]);
      places[label].push_back({index[0], index[1]});
    }
  }
  return places;
}

TpcfCurves mean_around(const TpcfWindows& windows, const std::vector<PixelIndex>& places,
                       Context& context) {
  TpcfSums sums(std::ssize(windows.features_around(places.front())));
  parallel_for(context, std::ssize(places), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::vector<float> values =
          windows.features_around(places[static_cast<std::size_t>(i)]);
      sums.add({.first_column = 0,
                .first_row = 0,
                .columns = 1,
                .rows = 1,
                .planes = std::ssize(values),
                .values = values.data()});
    }
  });
  return sums.means();
}

}  // namespace

void TpcfSums::add(const FeatureStrip& strip) {
  constexpr std::int64_t kLow = 0xffffffff;
  std::vector<Sum> own(sums_.size());
  for (std::int64_t line = 0; line < strip.planes * strip.rows; ++line) {
    const float* const values = strip.values + line * strip.columns;
    std::int64_t total = 0;
    for (std::int64_t x = 0; x < strip.columns; ++x)
      total += static_cast<std::int64_t>(values[x] * 0x1p40F);
    Sum& sum = own[static_cast<std::size_t>(line / strip.rows)];
    sum.low.add(total & kLow);
    sum.high.add(total >> 32);
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t plane = 0; plane < own.size(); ++plane) {
    sums_[plane].low += own[plane].low;
    sums_[plane].high += own[plane].high;
  }
  windows_ += strip.columns * strip.rows;
}

TpcfCurves TpcfSums::means() const {
  const std::lock_guard lock(mutex_);
  TpcfCurves means;
  for (const Sum& sum : sums_)
    means.push_back((sum.high.value() * 0x1p-8 + sum.low.value() * 0x1p-40) /
                    static_cast<double>(windows_));
  return means;
}

TpcfWindows::TpcfWindows(const Volume& image, const Values& values)
    : image_(image),
      count_(count_phases(image)),
      window_(window_of(values)),
      directions_(directions_of(values)) {}

std::vector<float> TpcfWindows::features_around(const PixelIndex& place) const {
  const Index3& size = image_.geometry().size;
  Box box = Box::whole(image_.geometry());
  // A picture that is too small is told of as it is.
  if (std::min(size[0], size[1]) >= window_) {
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      box.lo[axis] = std::clamp<std::int64_t>(place[axis] - window_ / 2, 0, size[axis] - window_);
      box.hi[axis] = box.lo[axis] + window_;
    }
  }
  return features_at({.phases = phases_in(image_, box),
                      .count = count_,
                      .window = window_,
                      .directions = directions_},
                     0, 0);
}

bool operator==(const TpcfWindows& a, const TpcfWindows& b) noexcept {
  return a.image_.owner() == b.image_.owner() && a.window_ == b.window_ &&
         a.directions_ == b.directions_ && a.image_.geometry().size == b.image_.geometry().size;
}

std::map<std::uint16_t, TpcfCurves> means_of_labels(const TpcfWindows& windows,
                                                    const SeedVoxels& seeds, Context& context) {
  if (seeds.seeds.empty()) return {};
  if (const auto kept = context.cache().find<LabelMeans>(kCacheKey);
      kept != nullptr && kept->windows == windows && kept->seeds == seeds.seeds) {
    return kept->means;
  }
  std::map<std::uint16_t, TpcfCurves> means;
  for (const auto& [label, places] : places_of(seeds, windows.image().geometry()))
    means[label] = mean_around(windows, places, context);
  context.cache().put(kCacheKey,
                      std::make_shared<LabelMeans>(LabelMeans{windows, seeds.seeds, means}),
                      windows.image().bytes().size() + seeds.seeds.size() * sizeof(Seed));
  return means;
}

}  // namespace seedwave
