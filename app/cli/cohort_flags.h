// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/recipes/cohort.h"

#include <string>
#include <vector>

namespace seedwave::cli {

/// Returns the flags that name cases.
[[nodiscard]] std::vector<Flag> cohort_flags();

/// Returns the cases that the flags and paths name. Throws UsageError for none, for a file beside
/// the image that the recipe does not ask for, and for the seeds of one case given to several; and
/// as find_cases().
[[nodiscard]] std::vector<CohortCase> cohort_of(const Arguments& arguments,
                                                const std::vector<std::string>& paths,
                                                const SavedRecipe& recipe, Context& context);

}  // namespace seedwave::cli
