// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/run.h"

#include <string>
#include <vector>

namespace seedwave::cli {

/// Formats the report of a run: what ran where and why, times, and voxels, millilitres and Dice by
/// label.
[[nodiscard]] std::string report_text(const RunReport& report, const std::vector<double>& totals);

}  // namespace seedwave::cli
