// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/run.h"

#include <string>
#include <vector>

namespace seedwave::cli {

/// A run for people: what ran where and why, times, voxels, millilitres and Dice by label.
[[nodiscard]] std::string report_text(const RunReport& report, const std::vector<double>& totals);

/// A number with so many digits behind the point, "-" where there is none.
[[nodiscard]] std::string fixed_text(double number, int digits);

}  // namespace seedwave::cli
