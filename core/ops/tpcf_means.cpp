// SPDX-License-Identifier: Apache-2.0
#include "core/ops/tpcf_means.h"

#include "core/image/label_map.h"
#include "core/image/shares_voxels.h"
#include "core/ops/phase_picture.h"
#include "core/ops/texture.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/shared_items.h"
#include "core/texture/feature_sample.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <string>

namespace seedwave {
namespace {

constexpr const char* kCacheKey = "two-point correlations of labels";

struct LabelMeans {
  TpcfWindows windows;
  std::vector<Seed> seeds;
  std::map<Label, TpcfCurves> means;
};

TpcfCurves mean_around(const TpcfWindows& windows, const std::vector<std::int64_t>& offsets,
                       Context& context) {
  const auto features_around = [&](std::int64_t offset) {
    const Index3 index = windows.image().geometry().index_of(offset);
    return windows.features_around({index[0], index[1]});
  };
  TpcfSums sums(std::ssize(features_around(offsets.front())));
  parallel_for(context, std::ssize(offsets), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::vector<float> values = features_around(offsets[static_cast<std::size_t>(i)]);
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

/// Sums in lanes, so that it can be vectorized.
double sum_of(const float* values, std::int64_t count) {
  std::array<double, 8> lanes{};
  std::int64_t i = 0;
  for (; i + std::ssize(lanes) <= count; i += std::ssize(lanes)) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      lanes[lane] += static_cast<double>(values[i + static_cast<std::int64_t>(lane)]);
  }
  const double rest = std::accumulate(values + i, values + count, 0.0);
  return std::accumulate(lanes.begin(), lanes.end(), rest);
}

}  // namespace

void TpcfSums::add(const FeatureStrip& strip) {
  constexpr std::int64_t kLow = 0xffffffff;
  // Exact in f64: whole numbers times 2^-40, little more than 1 each.
  constexpr std::int64_t kTogether = 4096;
  std::vector<Sum> own(sums_.size());
  for (std::int64_t line = 0; line < strip.planes * strip.rows; ++line) {
    const float* const values = strip.values + line * strip.columns;
    std::int64_t total = 0;
    for (std::int64_t x = 0; x < strip.columns; x += kTogether) {
      const std::int64_t count = std::min(kTogether, strip.columns - x);
      total += static_cast<std::int64_t>(sum_of(values + x, count) * 0x1p40);
    }
    Sum& sum = own[static_cast<std::size_t>(line / strip.rows)];
    sum.low.add(total & kLow);
    sum.high.add(total >> 32);
  }
  const std::lock_guard lock(mutex_);
  for (std::size_t plane = 0; plane < own.size(); ++plane)
    sums_[plane] += own[plane];
  windows_ += strip.columns * strip.rows;
}

void TpcfSums::add(const TpcfSums& others) {
  const std::scoped_lock lock(mutex_, others.mutex_);
  for (std::size_t plane = 0; plane < sums_.size(); ++plane)
    sums_[plane] += others.sums_[plane];
  windows_ += others.windows_;
}

void TpcfSums::add_all(Ranks& ranks) {
  const std::lock_guard lock(mutex_);
  sum_over_ranks(ranks, std::span(sums_));
  windows_ = ranks.all_sum(windows_);
}

TpcfCurves TpcfSums::means() const {
  const std::lock_guard lock(mutex_);
  TpcfCurves means;
  for (const Sum& sum : sums_)
    means.push_back((sum.high.value() * 0x1p-8 + sum.low.value() * 0x1p-40) /
                    static_cast<double>(windows_));
  return means;
}

TpcfWindows::TpcfWindows(const Volume& image, const Values& values, Context& context)
    : image_(image),
      count_(count_phases(image, context)),
      window_(window_of(values)),
      directions_(directions_of(values)) {}

TpcfProblem TpcfWindows::problem_in(const Box& box) const {
  return {.phases = phases_in(image_, box),
          .count = count_,
          .window = window_,
          .directions = directions_};
}

TpcfProblem TpcfWindows::all() const {
  return problem_in(Box::whole(image_.geometry()));
}

std::vector<float> TpcfWindows::features_around(const PixelIndex& place) const {
  const Index3& size = image_.geometry().size;
  Box box = Box::whole(image_.geometry());
  // An image that is too small is reported as it is.
  if (std::min(size[0], size[1]) >= window_) {
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      box.lo[axis] = first_cell_around(place[axis], window_, size[axis]);
      box.hi[axis] = box.lo[axis] + window_;
    }
  }
  return features_at(problem_in(box), 0, 0);
}

bool operator==(const TpcfWindows& a, const TpcfWindows& b) noexcept {
  return shares_voxels(a.image_, b.image_) && a.window_ == b.window_ &&
         a.directions_ == b.directions_;
}

std::map<Label, TpcfCurves> means_of_labels(const TpcfWindows& windows, const SeedVoxels& seeds,
                                            Context& context) {
  if (seeds.seeds.empty()) return {};
  if (const auto kept = context.cache().find<LabelMeans>(kCacheKey);
      kept != nullptr && kept->windows == windows && kept->seeds == seeds.seeds) {
    return kept->means;
  }
  std::map<Label, TpcfCurves> means;
  for (const auto& [label, offsets] : seed_sample(seeds.seeds))
    means[label] = mean_around(windows, offsets, context);
  context.cache().put(kCacheKey,
                      std::make_shared<LabelMeans>(LabelMeans{windows, seeds.seeds, means}),
                      windows.image().bytes().size() + seeds.seeds.size() * sizeof(Seed));
  return means;
}

}  // namespace seedwave
