// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/clean_labels.h"
#include "core/ops/operation.h"

#include <string>
#include <vector>

namespace seedwave {

/// Returns the shortest edge of a voxel; that along the slices counts on volumes alone.
[[nodiscard]] double shortest_edge(const Geometry& geometry);

/// The parameters of a clean-up of labels; their ids begin with `prefix`.
[[nodiscard]] std::vector<Parameter> cleaning_parameters(const std::string& prefix = "");

/// The choice of the label that removed parts get: the nearest, or none.
[[nodiscard]] Parameter removed_parameter();

/// Reads them into a problem with seeds, whose labels are still missing: on this grid. Replaces
/// `auto` in the values.
[[nodiscard]] CleanLabelsProblem cleaning_problem(const Geometry& geometry, std::vector<Seed> seeds,
                                                  Values& values, const std::string& prefix = "");

}  // namespace seedwave
