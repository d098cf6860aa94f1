// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/linear_opening.h"
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

[[nodiscard]] LineBorder border_of(const Values& values);
/// Of `angle` on images, of `direction` on volumes.
[[nodiscard]] LineFamily lines_of(const Values& values, const Geometry& geometry);
/// A direction in lengths along the volume's axes as lines through its cells.
[[nodiscard]] LineFamily lines_toward(const Vec3& direction, const Geometry& geometry);
/// `length` along these lines in cells, as `length_in` counts it, at least 1.
[[nodiscard]] std::int64_t cells_of_length(const Values& values, const LineFamily& lines,
                                           const Geometry& geometry);
/// The solvers of the CPU by name, the default first: what every operation here is made from.
struct NamedLineSolver {
  std::string algorithm;
  LinearOpeningSolver open;
};
[[nodiscard]] std::vector<NamedLineSolver> line_solvers_on_cpu();
/// The algorithm that all others are compared with.
inline constexpr const char* kReferenceLines = "naive";

}  // namespace seedwave
