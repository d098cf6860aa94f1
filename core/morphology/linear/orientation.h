// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstdint>
#include <functional>
#include <vector>

/// What lines in many directions say of an image (Karas, Morard, Bartovsky et al. 2015, equation 3
/// and 6.1): for each cell the strongest answer and the direction that gave it, and for each
/// direction the sum of its answers.
namespace seedwave {

/// Segments of one direction.
struct LineSegments {
  LineFamily lines;
  /// In cells along the lines, at least 1.
  std::int64_t length = 1;
};

/// One image and many directions.
struct LineFanProblem {
  /// One value per voxel, no NaN.
  Volume image;
  /// From 1 to kMostDirections, each of the image's size.
  std::vector<LineSegments> directions{};
  LineBorder border = LineBorder::Anchor;
  LineFilter filter = LineFilter::Opening;
};
inline constexpr std::int64_t kMostDirections = 65535;

struct OrientationMap {
  /// The highest of the openings, or the lowest of the closings, of the image's type.
  Volume strongest;
  /// u16: the number of the first direction that gave it.
  Volume first;
};

/// Throws what a LinearOpeningSolver throws, and UsageError for no or too many directions.
using OrientationSolver = std::function<OrientationMap(const LineFanProblem&, Context&)>;
/// For each direction the sum over all cells of the opening or closing, the same bits whatever the
/// order (see ExactSum).
using AngularSpectrumSolver = std::function<std::vector<double>(const LineFanProblem&, Context&)>;

/// With whichever opening. Directions are shared out among the threads, each with an answer of its
/// own; where these would take too much memory, all threads work on one direction at a time.
[[nodiscard]] OrientationMap orientation_by(const LinearOpeningSolver& open,
                                            const LineFanProblem& problem, Context& context);
[[nodiscard]] std::vector<double> angular_spectrum_by(const LinearOpeningSolver& open,
                                                      const LineFanProblem& problem,
                                                      Context& context);

/// The defaults.
[[nodiscard]] OrientationMap orientation(const LineFanProblem& problem, Context& context);
[[nodiscard]] std::vector<double> angular_spectrum(const LineFanProblem& problem, Context& context);

/// What every solver checks first.
void check(const LineFanProblem& problem);
/// One direction of it.
[[nodiscard]] LinearOpeningProblem one_direction(const LineFanProblem& problem,
                                                 std::int64_t number);

/// `count` unit vectors spread over the half sphere z > 0, the same on every machine but for the
/// last digit: a spiral by the golden angle whose turns part z evenly (Fibonacci's lattice;
/// Gonzalez 2010, Measurement of areas on a sphere using Fibonacci and latitude-longitude
/// lattices).
[[nodiscard]] std::vector<Vec3> half_sphere(std::int64_t count);

}  // namespace seedwave
