// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"

#include <cstdint>
#include <functional>
#include <vector>

/// Statistics of an image over lines in many directions (Karas, Morard, Bartovsky et al. 2015,
/// equation 3 and 6.1). They hold the strongest answer and its direction for each cell, and the sum
/// of the answers for each direction.
namespace seedwave {

/// Segments of one direction.
struct LineSegments {
  LineFamily lines;
  /// Length in cells along the lines, at least 1.
  std::int64_t length = 1;
};

/// One image and many directions.
struct LineFanProblem {
  /// One value per voxel, without NaN.
  Volume image;
  /// From 1 to kMostDirections, each for the image's size.
  std::vector<LineSegments> directions{};
  LineBorder border = LineBorder::Anchor;
  LineFilter filter = LineFilter::Opening;
};
inline constexpr std::int64_t kMostDirections = 65535;

struct OrientationMap {
  /// The highest of the openings, or the lowest of the closings, of the image's type.
  Volume strongest;
  /// u16: the number of the first direction with that answer.
  Volume first;
};

/// Throws whatever a LinearOpeningSolver throws, and UsageError for no or too many directions.
using OrientationSolver = std::function<OrientationMap(const LineFanProblem&, Context&)>;
/// Returns for each direction the sum over all cells of the opening or closing, bitwise equal in
/// any order (see ExactSum).
using AngularSpectrumSolver = std::function<std::vector<double>(const LineFanProblem&, Context&)>;

/// Uses any opening solver. Directions are distributed among the threads, each with its own answer.
/// If these would take too much memory, all threads work on one direction at a time.
[[nodiscard]] OrientationMap orientation_by(const LinearOpeningSolver& open,
                                            const LineFanProblem& problem, Context& context);
[[nodiscard]] std::vector<double> angular_spectrum_by(const LinearOpeningSolver& open,
                                                      const LineFanProblem& problem,
                                                      Context& context);

/// The default solvers.
[[nodiscard]] OrientationMap orientation(const LineFanProblem& problem, Context& context);
[[nodiscard]] std::vector<double> angular_spectrum(const LineFanProblem& problem, Context& context);
/// Compute the same with the loops of one instruction set (kernel.h).
[[nodiscard]] OrientationMap orientation_in_strips(const LineFanProblem& problem,
                                                   const linear::KernelSet& kernels,
                                                   Context& context);
[[nodiscard]] std::vector<double> angular_spectrum_in_strips(const LineFanProblem& problem,
                                                             const linear::KernelSet& kernels,
                                                             Context& context);

/// Checks the problem, as every solver does first.
void check(const LineFanProblem& problem);
/// Returns the problem of one direction.
[[nodiscard]] LinearOpeningProblem one_direction(const LineFanProblem& problem,
                                                 std::int64_t number);

/// Returns `count` unit vectors distributed over the half sphere z > 0, the same on every machine
/// up to the last digit. They form a spiral by the golden angle with equal steps in z (Fibonacci's
/// lattice; Gonzalez 2010, Measurement of areas on a sphere using Fibonacci and latitude-longitude
/// lattices).
[[nodiscard]] std::vector<Vec3> half_sphere(std::int64_t count);

}  // namespace seedwave
