// SPDX-License-Identifier: Apache-2.0
#include "core/texture/feature_sample.h"

#include "core/base/error.h"
#include "core/image/label_map.h"
#include "core/parallel/parallel_for.h"
#include "core/texture/first_windows.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

namespace seedwave {
namespace {

/// Number of windows that a pass computes in the time of a single window, for each row of the
/// window.
constexpr std::int64_t kPassWindowsARow = 10;

struct WindowCount {
  explicit WindowCount(const TpcfProblem& windows)
      : columns(windows.phases.geometry().size[0] - windows.window + 1),
        rows(windows.phases.geometry().size[1] - windows.window + 1) {}
  std::int64_t columns;
  std::int64_t rows;
};

std::int64_t share(std::int64_t count, std::int64_t spacing) {
  return (count + spacing - 1) / spacing;
}

}  // namespace

std::map<Label, std::vector<std::int64_t>> seed_sample(std::span<const Seed> seeds) {
  std::map<Label, std::vector<std::int64_t>> offsets;
  for (const Seed& seed : seeds)
    offsets[seed.label].push_back(seed.offset);
  for (auto& [label, all] : offsets) {
    const auto there = std::ssize(all);
    const std::int64_t count = std::min<std::int64_t>(there, kMostSeedsALabel);
    std::vector<std::int64_t> picked;
    for (std::int64_t i = 0; i < count; ++i)
      picked.push_back(all[static_cast<std::size_t>(i * there / count)]);
    all = std::move(picked);
  }
  return offsets;
}

std::vector<WindowPlace> SampleGrid::places() const {
  std::vector<WindowPlace> places;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column)
      places.push_back({first.x + column * spacing, first.y + row * spacing});
  }
  return places;
}

SampleGrid sample_grid(const TpcfProblem& windows) {
  check(windows);
  const WindowCount count(windows);
  std::int64_t spacing = 1;
  while (share(count.columns, spacing) * share(count.rows, spacing) > kMostSampled)
    ++spacing;
  return {.columns = share(count.columns, spacing),
          .rows = share(count.rows, spacing),
          .spacing = spacing,
          .first = {(count.columns - 1) % spacing / 2, (count.rows - 1) % spacing / 2}};
}

void check_places(const TpcfProblem& windows, const std::vector<WindowPlace>& places) {
  check(windows);
  const WindowCount count(windows);
  for (const auto& [x, y] : places) {
    if (x < 0 || y < 0 || x >= count.columns || y >= count.rows)
      throw UsageError("no window fits entirely in the image at " + std::to_string(x) + ", " +
                       std::to_string(y));
  }
}

Points sample_features(const TpcfProblem& windows, const std::vector<WindowPlace>& places,
                       Context& context) {
  check_places(windows, places);
  const WindowCount count(windows);
  const std::int64_t one_by_one = std::ssize(places) * windows.window * kPassWindowsARow;
  if (one_by_one < count.columns * count.rows)
    return sample_features_one_by_one(windows, places, context);
  return sample_features_by_pass(windows, places, context);
}

Points sample_features_by_pass(const TpcfProblem& windows, const std::vector<WindowPlace>& places,
                               Context& context) {
  check_places(windows, places);
  const auto row_of = [&](std::int64_t place) { return places[place].y; };
  std::vector<std::int64_t> by_row(places.size());
  std::iota(by_row.begin(), by_row.end(), 0);
  std::stable_sort(by_row.begin(), by_row.end(),
                   [&](std::int64_t a, std::int64_t b) { return row_of(a) < row_of(b); });
  Points sample = Points::zeros(std::ssize(places), plane_count(windows));
  const auto pick = [&](const FeatureStrip& strip) {
    auto next =
        std::lower_bound(by_row.begin(), by_row.end(), strip.first_row,
                         [&](std::int64_t place, std::int64_t row) { return row_of(place) < row; });
    for (; next != by_row.end() && row_of(*next) < strip.first_row + strip.rows; ++next) {
      const std::int64_t x = places[*next].x - strip.first_column;
      if (x < 0 || x >= strip.columns) continue;
      const std::int64_t y = places[*next].y - strip.first_row;
      const std::span<double> features = sample.row(*next);
      for (std::int64_t plane = 0; plane < strip.planes; ++plane)
        features[plane] = strip.values[(plane * strip.rows + y) * strip.columns + x];
    }
  };
  tpcf(windows, pick, context);
  return sample;
}

Points sample_features_one_by_one(const TpcfProblem& windows,
                                  const std::vector<WindowPlace>& places, Context& context) {
  check_places(windows, places);
  const LagTable table = lag_table(windows.window, windows.directions);
  Points sample = Points::zeros(std::ssize(places), plane_count(windows));
  parallel_for(context, std::ssize(places), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::vector<float> features =
          texture::features_of_window(windows, table, places[i].x, places[i].y);
      std::copy(features.begin(), features.end(), sample.row(i).begin());
    }
  });
  return sample;
}

}  // namespace seedwave
