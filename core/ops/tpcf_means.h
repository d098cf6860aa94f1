// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/exact_sum.h"
#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/ops/place_text.h"
#include "core/ops/values.h"
#include "core/parallel/context.h"
#include "core/parallel/ranks.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

/// Curves of `tpcf` at a place, and means of them whose bits do not depend on the order.
namespace seedwave {

/// Values phase by phase, radius by radius.
using TpcfCurves = std::vector<double>;

/// Exact sums of features: each is a whole number times 2^-40. Thread-safe.
class TpcfSums {
 public:
  explicit TpcfSums(std::int64_t planes) : sums_(static_cast<std::size_t>(planes)) {}
  void add(const FeatureStrip& strip);
  /// Adds the sums of other windows.
  void add(const TpcfSums& others);
  /// Adds the sums of all other ranks. Collective.
  void add_all(Ranks& ranks);
  [[nodiscard]] TpcfCurves means() const;

 private:
  mutable std::mutex mutex_;  // guards everything below
  /// A sum in two halves, so that billions of windows fit.
  struct Sum {
    ExactSum<std::int64_t> low;
    ExactSum<std::int64_t> high;

    Sum& operator+=(const Sum& other) noexcept {
      low += other.low;
      high += other.high;
      return *this;
    }
  };
  std::vector<Sum> sums_;
  std::int64_t windows_ = 0;
};

/// The windows of an image of phases, all together or each on its own.
class TpcfWindows {
 public:
  /// Throws InputError if the image does not hold phases.
  TpcfWindows(const Volume& image, const Values& values, Context& context);

  /// Returns the number of phases.
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  /// Returns the problem for all windows.
  [[nodiscard]] TpcfProblem all() const;
  /// Returns the features of the window around a place; near the border, of the nearest window that
  /// lies wholly in the image. Throws the errors of features_at().
  [[nodiscard]] std::vector<float> features_around(const PixelIndex& place) const;
  [[nodiscard]] const Volume& image() const noexcept { return image_; }
  /// Returns whether both have the same image and the same windows.
  friend bool operator==(const TpcfWindows& a, const TpcfWindows& b) noexcept;

 private:
  [[nodiscard]] TpcfProblem problem_in(const Box& box) const;

  Volume image_;
  std::int64_t count_;
  std::int64_t window_;
  std::int64_t directions_;
};

/// Returns for each label the mean over the windows around its seeds, as seed_sample() picks them.
/// Cached for the next run.
[[nodiscard]] std::map<Label, TpcfCurves> means_of_labels(const TpcfWindows& windows,
                                                          const SeedVoxels& seeds,
                                                          Context& context);

}  // namespace seedwave
