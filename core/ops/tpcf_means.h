// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/exact_sum.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/ops/place_text.h"
#include "core/ops/values.h"
#include "core/parallel/context.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

/// Curves of `tpcf` for a place, and means of them whose bits depend on no order.
namespace seedwave {

/// Phase by phase, radius by radius.
using TpcfCurves = std::vector<double>;

/// Sums of features, exact: each is a whole number times 2^-40. Thread-safe.
class TpcfSums {
 public:
  explicit TpcfSums(std::int64_t planes) : sums_(static_cast<std::size_t>(planes)) {}
  void add(const FeatureStrip& strip);
  [[nodiscard]] TpcfCurves means() const;

 private:
  mutable std::mutex mutex_;  // guards everything below
  /// In two halves, so that windows by the billion fit.
  struct Sum {
    ExactSum<std::int64_t> low;
    ExactSum<std::int64_t> high;
  };
  std::vector<Sum> sums_;
  std::int64_t windows_ = 0;
};

/// The windows of a picture of phases, all together or each on its own.
class TpcfWindows {
 public:
  /// Throws InputError where the image is no picture of phases.
  TpcfWindows(const Volume& image, const Values& values, Context& context);

  /// The number of phases.
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  /// What a solver is asked for all windows.
  [[nodiscard]] TpcfProblem all() const;
  /// Of the window around a place; near the border of the nearest one that lies wholly in the
  /// picture. Throws what features_at() throws.
  [[nodiscard]] std::vector<float> features_around(const PixelIndex& place) const;
  [[nodiscard]] const Volume& image() const noexcept { return image_; }
  /// The same picture, and the same windows.
  friend bool operator==(const TpcfWindows& a, const TpcfWindows& b) noexcept;

 private:
  [[nodiscard]] TpcfProblem problem_in(const Box& box) const;

  Volume image_;
  std::int64_t count_;
  std::int64_t window_;
  std::int64_t directions_;
};

/// For each label the mean over the windows around its seeds, as seed_sample() picks them. Kept for
/// the next run.
[[nodiscard]] std::map<std::uint16_t, TpcfCurves> means_of_labels(const TpcfWindows& windows,
                                                                  const SeedVoxels& seeds,
                                                                  Context& context);

}  // namespace seedwave
