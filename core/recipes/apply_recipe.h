// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/loaded_case.h"
#include "core/engine/source.h"
#include "core/ops/run.h"
#include "core/parallel/context.h"
#include "core/recipes/saved_recipe.h"

#include <map>
#include <string>
#include <vector>

namespace seedwave {

/// The image and files that a recipe is applied to.
struct RecipeCase {
  LoadedCase of;
  /// The other inputs by their names ("seeds", "mask"): files on the image's grid.
  std::map<std::string, Source> files{};
};

/// A step carried out.
struct StepReport {
  std::string id;
  /// It was taken from those kept, so that it took no time.
  bool was_kept = false;
  /// The outputs are those that the result has; of other steps there are none any more.
  RunReport run;
};

/// Throws InputError that names the first step whose required input neither the case nor a step
/// gives.
void check_case(const OperationTable& table, const SavedRecipe& recipe,
                const std::map<std::string, Source>& files);

/// A step that was carried out, its report, and its outputs that later steps read.
struct KeptStep {
  RecipeStep step;
  StepReport report;
  std::map<std::string, Volume> outputs{};
};
/// Steps that were carried out on a case, by id.
using KeptSteps = std::map<std::string, KeptStep>;

/// Carries out all steps, in memory. What a step reads of another is what it would read from that
/// one's file. The last report has the result. `settings`: of the runs, which share a cache.
///
/// Throws the errors of resolve() and run_operation(), which begin with the name of the step, and
/// InputError for a colour image without the channel that a step wants.
[[nodiscard]] std::vector<StepReport> apply_recipe(const OperationTable& table,
                                                   const SavedRecipe& recipe, const RecipeCase& to,
                                                   Context::Settings settings);
/// The same, except that steps are taken from those kept if nothing changed in them and in the
/// steps that they read. Keeps all steps but the last. `kept`: of an earlier call for the same
/// case.
[[nodiscard]] std::vector<StepReport> apply_recipe(const OperationTable& table,
                                                   const SavedRecipe& recipe, const RecipeCase& to,
                                                   Context::Settings settings, KeptSteps& kept);

}  // namespace seedwave
