// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/merge_ellipses.h"

#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"

#include <queue>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// A region that grows by merging.
struct MergedRegion {
  EllipseSums sums;
  double intensity = 0.0;
  /// Counts the changes: offers made before the last one are void.
  std::uint32_t version = 0;
  /// The region that took it over, or itself; at last the one that holds it.
  Label into = 0;

  [[nodiscard]] double mean() const noexcept { return intensity / sums.pixels; }
};

/// The pixel pairs at a common boundary.
struct CommonBoundary {
  double pairs = 0.0;
  double intensity = 0.0;

  void add(const CommonBoundary& other) noexcept {
    pairs += other.pairs;
    intensity += other.intensity;
  }
};

/// A pair of regions whose merging gains, a < b.
struct MergeOffer {
  double gain = 0.0;
  Label a = 0;
  Label b = 0;
  std::uint32_t version_a = 0;
  std::uint32_t version_b = 0;
};

/// Orders a queue by gain, then by the smallest numbers.
struct IsWorseOffer {
  bool operator()(const MergeOffer& left, const MergeOffer& right) const noexcept {
    if (left.gain != right.gain) return left.gain < right.gain;
    return std::pair(left.a, left.b) > std::pair(right.a, right.b);
  }
};

class EllipseMerger {
 public:
  explicit EllipseMerger(const EllipseMergeProblem& problem)
      : problem_(problem),
        regions_(largest_label(problem.parts.labels()) + std::size_t{1}),
        neighbours_(regions_.size()) {
    for (std::size_t i = 0; i < regions_.size(); ++i)
      regions_[i].into = static_cast<Label>(i);
  }

  /// Adds up regions and boundaries, pixel by pixel, so that sums have one order.
  template <typename T>
  void measure(std::span<const T> parts, Context& context) {
    const auto image = problem_.image.voxels<float>();
    const std::int64_t columns = problem_.parts.geometry().size[0];
    serial_for(context, std::ssize(parts), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        if (parts[i] == 0) continue;
        const std::int64_t x = i % columns;
        add_pixel(parts[i], x, i / columns, image[i]);
        if (x > 0) add_pair(parts[i - 1], parts[i], image[i - 1], image[i]);
        if (i >= columns) add_pair(parts[i - columns], parts[i], image[i - columns], image[i]);
      }
    });
  }

  void merge_all(Context& context) {
    for (Label a = 1; a < regions_.size(); ++a) {
      for (const auto& [b, boundary] : neighbours_[a]) {
        if (a < b) offer(a, b, boundary);
      }
    }
    std::size_t steps = 0;
    while (!offers_.empty()) {
      if (++steps % kCellsPerCheck == 0) context.checkpoint(0.0);
      const MergeOffer best = offers_.top();
      offers_.pop();
      if (regions_[best.a].version == best.version_a && regions_[best.b].version == best.version_b)
        merge(best.a, best.b);
    }
    // A region was taken over by one with a smaller number, whose own is known by then.
    for (MergedRegion& region : regions_)
      region.into = regions_[region.into].into;
  }

  /// Returns the number of the region that holds a part, after merge_all().
  [[nodiscard]] Label region_of(Label part) const noexcept { return regions_[part].into; }

 private:
  void add_pixel(Label part, std::int64_t column, std::int64_t row, float value) {
    const auto x = static_cast<double>(column);
    const auto y = static_cast<double>(row);
    regions_[part].sums.add({.pixels = 1.0, .x = x, .y = y, .xx = x * x, .yy = y * y, .xy = x * y});
    regions_[part].intensity += static_cast<double>(value);
  }

  void add_pair(Label a, Label b, float value_a, float value_b) {
    if (a == b || a == 0) return;
    const CommonBoundary pair{1.0, (static_cast<double>(value_a) + value_b) / 2};
    neighbours_[a][b].add(pair);
    neighbours_[b][a].add(pair);
  }

  void offer(Label a, Label b, const CommonBoundary& boundary) {
    const MergedRegion& first = regions_[a];
    const MergedRegion& second = regions_[b];
    EllipseSums both = first.sums;
    both.add(second.sums);
    if (both.pixels > problem_.most_pixels) return;
    const double lower = std::min(first.mean(), second.mean());
    const double valley = lower > 0.0 ? 1.0 - boundary.intensity / boundary.pairs / lower : 0.0;
    const double apart = (first.sums.ellipticity() * first.sums.pixels +
                          second.sums.ellipticity() * second.sums.pixels) /
                         both.pixels;
    const double gain = both.ellipticity() - apart - valley;
    if (gain <= 0.0) return;
    offers_.push({gain, std::min(a, b), std::max(a, b), regions_[std::min(a, b)].version,
                  regions_[std::max(a, b)].version});
  }

  /// Merges b into a, the smaller number, and offers the result to its neighbours.
  void merge(Label a, Label b) {
    MergedRegion& into = regions_[a];
    into.sums.add(regions_[b].sums);
    into.intensity += regions_[b].intensity;
    ++into.version;
    ++regions_[b].version;
    regions_[b].into = a;
    neighbours_[a].erase(b);
    for (const auto& [other, boundary] : std::exchange(neighbours_[b], {})) {
      neighbours_[other].erase(b);
      if (other == a) continue;
      neighbours_[a][other].add(boundary);
      neighbours_[other][a].add(boundary);
    }
    for (const auto& [other, boundary] : neighbours_[a])
      offer(a, other, boundary);
  }

  const EllipseMergeProblem& problem_;
  std::vector<MergedRegion> regions_;
  std::vector<std::map<Label, CommonBoundary>> neighbours_;
  std::priority_queue<MergeOffer, std::vector<MergeOffer>, IsWorseOffer> offers_;
};

}  // namespace

void EllipseSums::add(const EllipseSums& other) noexcept {
  pixels += other.pixels;
  x += other.x;
  y += other.y;
  xx += other.xx;
  yy += other.yy;
  xy += other.xy;
}

double EllipseSums::ellipticity() const noexcept {
  constexpr double kVarianceOfPixel = 1.0 / 12.0;
  const double mean_x = x / pixels;
  const double mean_y = y / pixels;
  const double var_x = xx / pixels - mean_x * mean_x + kVarianceOfPixel;
  const double var_y = yy / pixels - mean_y * mean_y + kVarianceOfPixel;
  const double covariance = xy / pixels - mean_x * mean_y;
  // At least that of a pixel: rounding could give less for a line of pixels.
  const double determinant =
      std::max(var_x * var_y - covariance * covariance, kVarianceOfPixel * kVarianceOfPixel);
  return pixels / (4.0 * std::numbers::pi * std::sqrt(determinant));
}

LabelMap merge_ellipses(const EllipseMergeProblem& problem, Context& context) {
  EllipseMerger merger(problem);
  return visit_labels(problem.parts.labels(), [&](auto parts) {
    merger.measure(parts, context);
    merger.merge_all(context);
    return tabulate_labels(problem.parts.geometry(), largest_label(problem.parts.labels()), context,
                           [&](std::int64_t i) { return merger.region_of(parts[i]); });
  });
}

}  // namespace seedwave
