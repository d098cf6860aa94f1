// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/case_table.h"

#include <string>

namespace seedwave::cli {

/// Formats the combinations of a sweep over cases as a table: the varied values, then mean, minimum
/// and standard deviation of the tuning cases' Dice, and the mean with the neighbours. Each case
/// has a column if there are few. Runs are marked as in a sweep of one image.
[[nodiscard]] std::string case_table_text(const CaseTable& table);

/// Formats a summary, one line each: what ran where, the best combination, the plateau, and the
/// results of the held-out cases. `again` is the command that repeats the centre on the case
/// `again_on`.
[[nodiscard]] std::string case_summary(const CaseTable& table, const std::string& again,
                                       const std::string& again_on);

}  // namespace seedwave::cli
