// SPDX-License-Identifier: Apache-2.0
#include "ui/models/displayed_recipe.h"

#include "core/image/length_scale.h"
#include "core/recipes/recipe_of_step.h"

namespace seedwave::ui {

SavedRecipe displayed_recipe(const RunController& runs, const Workbench& workbench) {
  const Run& run = *runs.displayed().run();
  const OperationTable& table = runs.next().table();
  const bool is_slide = workbench.opened().loaded.slide != nullptr;
  return recipe_of_step(
      table, run, table.at(run.recipe.operation).title,
      is_slide ? micrometres_per_pixel(workbench.image().geometry()) : std::nullopt);
}

}  // namespace seedwave::ui
