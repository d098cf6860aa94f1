// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// The first cell of a window that lies wholly in the picture.
struct WindowPlace {
  std::int64_t x;
  std::int64_t y;
  friend bool operator==(const WindowPlace&, const WindowPlace&) = default;
};

/// Windows at even distances: at most kMostSampled, in the middle of all of them.
struct SampleGrid {
  std::int64_t columns;
  std::int64_t rows;
  /// From one to the next, along both axes, in pixels.
  std::int64_t spacing;
  WindowPlace first;

  [[nodiscard]] std::int64_t count() const { return columns * rows; }
  /// x fastest.
  [[nodiscard]] std::vector<WindowPlace> places() const;
};

inline constexpr std::int64_t kMostSampled = 16384;

/// The densest grid, which depends on the picture's size and the window alone.
[[nodiscard]] SampleGrid sample_grid(const TpcfProblem& windows);

/// The features of some windows, one row a place: the f32 numbers of tpcf(), the same bits for each
/// solver and number of threads. Throws what check() throws, UsageError for a place that is none,
/// Cancelled.
using FeatureSampler = std::function<Points(
    const TpcfProblem& windows, const std::vector<WindowPlace>& places, Context& context)>;

/// Picked out of a pass over all windows, or one by one where that takes less: see
/// kWindowsForOnePlace.
[[nodiscard]] Points sample_features(const TpcfProblem& windows,
                                     const std::vector<WindowPlace>& places, Context& context);
[[nodiscard]] Points sample_features_by_pass(const TpcfProblem& windows,
                                             const std::vector<WindowPlace>& places,
                                             Context& context);
[[nodiscard]] Points sample_features_one_by_one(const TpcfProblem& windows,
                                                const std::vector<WindowPlace>& places,
                                                Context& context);

/// What every sampler checks first: that each place is one, besides check().
void check_places(const TpcfProblem& windows, const std::vector<WindowPlace>& places);

}  // namespace seedwave
