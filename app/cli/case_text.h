// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/case_table.h"

#include <string>

namespace seedwave::cli {

/// The combinations of a sweep over cases for people: the varied values, the mean Dice of the cases
/// to tune by, the least, the spread, the mean with the neighbours, and each case where they are
/// few; marked as in a sweep of one image.
[[nodiscard]] std::string case_table_text(const CaseTable& table);

/// What ran where, the best combination, the plateau and what the held-out cases gave, in a line
/// each; `again` is the command that repeats the centre on the case `again_on`.
[[nodiscard]] std::string case_summary(const CaseTable& table, const std::string& again,
                                       const std::string& again_on);

}  // namespace seedwave::cli
