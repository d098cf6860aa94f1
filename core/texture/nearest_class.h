// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// A map of features to a space of few dimensions, and the points there that represent classes.
struct FeatureClasses {
  /// One number per plane of features.
  std::vector<double> origin;
  /// y = axes (features - origin), with one row per dimension of the space and one number per
  /// plane.
  Points axes;
  /// The centre of each class in that space: at least one, at most kMostFeatureClasses.
  Points centres;
};

inline constexpr std::int64_t kMostFeatureClasses = 65535;

/// Answer for every window that lies wholly in the image, indexed by its first cell, x fastest.
struct NearestClasses {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  /// 0 .. centres - 1.
  std::vector<std::uint16_t> classes;
  /// Distance to the centre of that class, in the space of the centres.
  std::vector<float> distances;
};

/// Returns the nearest centre of each window's features f, the first if several are equally near.
/// All operations are in f64 and in this order, and each product, sum and difference is rounded
/// separately. So every solver gives bitwise equal results:
///
///   offset_k = 0 + axes[k][0] origin[0] + axes[k][1] origin[1] + ..
///   y_k = (0 + axes[k][0] f[0] + axes[k][1] f[1] + ..) - offset_k
///   squared distance to c = 0 + (y_0 - c_0)^2 + (y_1 - c_1)^2 + ..
///
/// The distance is the root of that, rounded to f32. Memory: the answer, and that of tpcf(). Throws
/// whatever check() of the windows throws, and Cancelled.
using NearestClassSolver = std::function<NearestClasses(
    const TpcfProblem& windows, const FeatureClasses& classes, Context& context)>;

/// Works strip by strip as tpcf() produces them, while they are in the cache.
[[nodiscard]] NearestClasses nearest_class(const TpcfProblem& windows,
                                           const FeatureClasses& classes, Context& context);

/// Returns offset_k for each row of axes; see above.
[[nodiscard]] std::vector<double> offsets_of(const FeatureClasses& classes);

/// Returns y_k of windows' features, one row per window, as above. If these are the centres, each
/// of the windows is at distance 0. Reads only origin and axes.
[[nodiscard]] Points coordinates_of(const FeatureClasses& classes, const Points& features);

}  // namespace seedwave
