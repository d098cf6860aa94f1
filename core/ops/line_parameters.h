// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/granulometry.h"
#include "core/morphology/linear/orientation.h"
#include "core/ops/operation.h"

#include <cstdint>
#include <string>
#include <vector>

/// Parameters that the operations along lines share, and their meaning on a grid.
namespace seedwave {

[[nodiscard]] Parameter length_parameter(double initial);
[[nodiscard]] Parameter length_in_parameter();
/// Return the parameters `angle` for images and `direction` for volumes.
[[nodiscard]] Parameter angle_parameter();
[[nodiscard]] Parameter direction_parameter();
[[nodiscard]] Parameter border_parameter();
/// Returns the parameter `lines`: bright lines (openings) or dark ones (closings).
[[nodiscard]] Parameter lines_parameter(const std::string& initial);

[[nodiscard]] LineBorder border_of(const Values& values);
/// Returns the filter that `lines` selects.
[[nodiscard]] LineFilter filter_of(const Values& values);
/// Returns the lines along `angle` on images, along `direction` on volumes.
[[nodiscard]] LineFamily lines_of(const Values& values, const Geometry& geometry);
/// Returns the lines through the cells along a direction that is given in lengths along the
/// volume's axes.
[[nodiscard]] LineFamily lines_toward(const Vec3& direction, const Geometry& geometry);
/// Returns `length` along these lines in cells, measured as `length_in` says, at least 1.
[[nodiscard]] std::int64_t cells_of_length(const Values& values, const LineFamily& lines,
                                           const Geometry& geometry);
/// Returns `count` angles from `from` up to but excluding `to`, in degrees; all lie in the slices.
[[nodiscard]] std::vector<double> angles_between(double from, double to, std::int64_t count);
/// Returns lines of `length` at these angles.
[[nodiscard]] std::vector<LineSegments> segments_at(const std::vector<double>& angles,
                                                    const Values& values, const Geometry& geometry);

/// The solvers of the CPU by name, the default first: every operation here is built from them.
struct NamedLineSolver {
  std::string algorithm;
  LinearOpeningSolver open;
};
[[nodiscard]] std::vector<NamedLineSolver> line_solvers_on_cpu();
/// The algorithm with which all others are compared.
inline constexpr const char* kReferenceLines = "naive";

}  // namespace seedwave
