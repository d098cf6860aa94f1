// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep_grid.h"
#include "core/engine/sweep/sweep_subject.h"
#include "core/engine/sweep/vary.h"
#include "core/recipes/apply_recipe.h"
#include "core/recipes/saved_recipe.h"

#include <mutex>
#include <set>
#include <string>
#include <vector>

/// Sweeps over the values of a recipe's steps. A value is named by step and parameter: "split.h".
namespace seedwave {

/// Reads "STEP.PARAM=VALUES", with the values in the forms of parse_vary(). Throws UsageError for
/// the reasons of that function, and for a name without a step of the recipe.
[[nodiscard]] Vary parse_vary(const OperationTable& table, const SavedRecipe& recipe,
                              const std::string& text);
/// Returns the values that `vary` stands for. Throws UsageError.
[[nodiscard]] SweepAxis axis_of(const OperationTable& table, const SavedRecipe& recipe,
                                const Vary& vary, bool image_is_2d);

/// Returns the values that a recipe sets, by step and parameter.
[[nodiscard]] Values values_of(const SavedRecipe& recipe);
/// Returns the recipe with other values, by step and parameter.
[[nodiscard]] SavedRecipe with_values(SavedRecipe recipe, const Values& values);

/// A recipe on a case. Steps in front of the first varied one are carried out once.
class RecipeSubject final : public SweepSubject {
 public:
  /// `table` must outlive this. Throws InputError for an input that the case lacks, and for seeds
  /// that cannot be read; Cancelled.
  RecipeSubject(const OperationTable& table, SavedRecipe recipe, RecipeCase to, Context& context);

  [[nodiscard]] Name name() const override { return {"recipe", recipe_.name}; }
  /// The values of the recipe, except those of the sweep's parameters, which it replaces.
  [[nodiscard]] Values values() const override { return values_of(recipe_); }
  [[nodiscard]] const Geometry& grid() const override { return case_.of.image.geometry(); }
  [[nodiscard]] VoxelType type() const override { return case_.of.image.type(); }
  [[nodiscard]] std::set<Label> seeded_labels() const override { return seeded_; }
  [[nodiscard]] bool gives_labels() const override;
  /// Gives the digest of apply_recipe() with the same values. Values and time are those of all
  /// steps; the rest of the facts is of the last. A step that cannot work on what others give it
  /// with these values is a UsageError.
  [[nodiscard]] Result run(const Values& varied, Context& context) const override;

 private:
  [[nodiscard]] KeptSteps take_steps() const;
  void give_back(KeptSteps steps) const;

  const OperationTable& table_;
  SavedRecipe recipe_;
  RecipeCase case_;
  std::set<Label> seeded_;
  mutable std::mutex mutex_;  // guards the steps
  mutable KeptSteps steps_;   // of the last run
};

}  // namespace seedwave
