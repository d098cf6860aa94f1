// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/recipes/saved_recipe.h"

#include <optional>
#include <string>

namespace seedwave {

/// Returns the recipe that a step and the steps that it reads carried out, for other cases: with
/// the values that the user set, so that what was estimated is estimated anew of each case.
/// Strokes, and files that were chosen, become inputs of the case; edits by hand are left out. A
/// step is named by its operation. `mpp`: of the level of a slide that is open.
///
/// Throws InputError if a step that is read is lost.
[[nodiscard]] SavedRecipe recipe_of_step(const OperationTable& table, const Step& step,
                                         const std::string& name, std::optional<double> mpp);

/// Returns the same recipe with the values that the steps used, so that it gives their digests on
/// the image that they were carried out on. Throws as recipe_of_step().
[[nodiscard]] SavedRecipe recipe_repeating(const OperationTable& table, const Step& step,
                                           const std::string& name, bool image_is_2d);

}  // namespace seedwave
