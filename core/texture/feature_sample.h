// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/image/seed_set.h"
#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace seedwave {

/// The first cell of a window that lies wholly in the image.
struct WindowPlace {
  std::int64_t x;
  std::int64_t y;
  friend bool operator==(const WindowPlace&, const WindowPlace&) = default;
};

/// Windows at regular distances, at most kMostSampled, centred in the image.
struct SampleGrid {
  std::int64_t columns;
  std::int64_t rows;
  /// Distance between neighbours along both axes, in pixels.
  std::int64_t spacing;
  WindowPlace first;

  [[nodiscard]] std::int64_t count() const { return columns * rows; }
  /// Returns the windows, x fastest.
  [[nodiscard]] std::vector<WindowPlace> places() const;
};

inline constexpr std::int64_t kMostSampled = 16384;

/// Returns the densest grid, which depends only on the image's size and the window.
[[nodiscard]] SampleGrid sample_grid(const TpcfProblem& windows);

/// Returns the features of some windows, one row per place: the f32 numbers of tpcf(), bitwise
/// equal for any solver and number of threads. Throws whatever check() throws, UsageError for an
/// invalid place, and Cancelled.
using FeatureSampler = std::function<Points(
    const TpcfProblem& windows, const std::vector<WindowPlace>& places, Context& context)>;

/// Selects the windows from a pass over all of them, or computes them one by one if that is faster:
/// see kPassWindowsARow.
[[nodiscard]] Points sample_features(const TpcfProblem& windows,
                                     const std::vector<WindowPlace>& places, Context& context);
[[nodiscard]] Points sample_features_by_pass(const TpcfProblem& windows,
                                             const std::vector<WindowPlace>& places,
                                             Context& context);
[[nodiscard]] Points sample_features_one_by_one(const TpcfProblem& windows,
                                                const std::vector<WindowPlace>& places,
                                                Context& context);

/// Checks that each place is valid, and calls check(). Every sampler calls it first.
void check_places(const TpcfProblem& windows, const std::vector<WindowPlace>& places);

/// Largest number of windows per label; more would add little information.
inline constexpr std::int64_t kMostSeedsALabel = 1000;

/// Returns the offsets of each label's seeds, at most kMostSeedsALabel, evenly spaced in their
/// order.
[[nodiscard]] std::map<Label, std::vector<std::int64_t>> seed_sample(std::span<const Seed> seeds);

}  // namespace seedwave
