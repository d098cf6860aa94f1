// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/granulometry.h"
#include "core/morphology/linear/orientation.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <string>
#include <vector>

/// What the operations that open by lines have in common: their parameters, and what these mean on
/// a grid.
namespace seedwave {

[[nodiscard]] Parameter length_parameter(double initial);
[[nodiscard]] Parameter length_in_parameter();
/// `angle` on images, `direction` on volumes.
[[nodiscard]] Parameter angle_parameter();
[[nodiscard]] Parameter direction_parameter();
[[nodiscard]] Parameter border_parameter();
/// Which lines stand out, bright ones (openings) or dark ones (closings).
[[nodiscard]] Parameter lines_parameter(const std::string& initial);

[[nodiscard]] LineBorder border_of(const Values& values);
/// Of `lines`.
[[nodiscard]] LineFilter filter_of(const Values& values);
/// Of `angle` on images, of `direction` on volumes.
[[nodiscard]] LineFamily lines_of(const Values& values, const Geometry& geometry);
/// A direction in lengths along the volume's axes as lines through its cells.
[[nodiscard]] LineFamily lines_toward(const Vec3& direction, const Geometry& geometry);
/// `length` along these lines in cells, as `length_in` counts it, at least 1.
[[nodiscard]] std::int64_t cells_of_length(const Values& values, const LineFamily& lines,
                                           const Geometry& geometry);
/// `count` angles from `from` on, the last one before `to`, in degrees; all in the slices.
[[nodiscard]] std::vector<double> angles_between(double from, double to, std::int64_t count);
/// Lines of `length` at these angles.
[[nodiscard]] std::vector<LineSegments> segments_at(const std::vector<double>& angles,
                                                    const Values& values, const Geometry& geometry);

/// The solvers of the CPU by name, the default first: what every operation here is made from.
struct NamedLineSolver {
  std::string algorithm;
  LinearOpeningSolver open;
};
[[nodiscard]] std::vector<NamedLineSolver> line_solvers_on_cpu();
/// The algorithm that all others are compared with.
inline constexpr const char* kReferenceLines = "naive";

}  // namespace seedwave
