// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// Features mapped into a space of few dimensions, and the points there that stand for classes.
struct FeatureClasses {
  /// One number a plane of features.
  std::vector<double> origin;
  /// y = axes (features - origin): one row a dimension of the space, one number a plane.
  Points axes;
  /// Of each class, in that space; at least one, at most kMostFeatureClasses.
  Points centres;
};

inline constexpr std::int64_t kMostFeatureClasses = 65535;

/// Of every window that lies wholly in the picture, named after its first cell, x fastest.
struct NearestClasses {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  /// 0 .. centres - 1.
  std::vector<std::uint16_t> classes;
  /// To the centre of that class, in the space of the centres.
  std::vector<float> distances;
};

/// The nearest centre of each window's features f, of equally near ones the first. All f64 and in
/// this order, each product, sum and difference rounded by itself, so that every solver gives the
/// same bits:
///
///   offset_k = 0 + axes[k][0] origin[0] + axes[k][1] origin[1] + ..
///   y_k = (0 + axes[k][0] f[0] + axes[k][1] f[1] + ..) - offset_k
///   squared distance to c = 0 + (y_0 - c_0)^2 + (y_1 - c_1)^2 + ..
///
/// and the distance is the root of that, rounded to f32. Memory: the answer, and what tpcf() needs.
/// Throws what check() of the windows throws, and Cancelled.
using NearestClassSolver = std::function<NearestClasses(
    const TpcfProblem& windows, const FeatureClasses& classes, Context& context)>;

/// Strip by strip as tpcf() makes them, while they are in the cache.
[[nodiscard]] NearestClasses nearest_class(const TpcfProblem& windows,
                                           const FeatureClasses& classes, Context& context);

/// Of a row of axes; see above.
[[nodiscard]] std::vector<double> offsets_of(const FeatureClasses& classes);

/// y_k of windows' features, one row a window, as above: with these for its centres each of the
/// windows is at the distance 0. Looks at origin and axes alone.
[[nodiscard]] Points coordinates_of(const FeatureClasses& classes, const Points& features);

}  // namespace seedwave
