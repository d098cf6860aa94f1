// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/saved_recipe.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

namespace seedwave::ui {

/// Returns the displayed run and the runs that it reads as a recipe for other cases, see
/// recipe_of_step(); slides at the scale of the open one. There must be a displayed run. Throws
/// InputError if a run that it reads is lost.
[[nodiscard]] SavedRecipe displayed_recipe(const RunController& runs, const Workbench& workbench);

}  // namespace seedwave::ui
