// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/recipe_of_step.h"

#include "core/engine/run_again.h"
#include "core/engine/step_order.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Makes the steps of a recipe from those of a graph, one after the other.
class Chain {
 public:
  /// Returns the values of a step that are saved.
  using ValuesOf = std::function<Values(const Operation&, const Step&)>;

  Chain(const OperationTable& table, ValuesOf values_of)
      : table_(table), values_of_(std::move(values_of)) {}

  /// The steps that it reads have been added.
  void add(const Step& step) {
    const Operation& operation = table_.at(step.recipe.operation);
    RecipeStep made{.id = unused_id(operation.id),
                    .operation = operation.id,
                    .values = values_of_(operation, step)};
    if (const Implementation* own = approximate_one(operation, step))
      made.algorithm = own->algorithm;
    add_inputs(operation, step.recipe, made);
    added_.emplace_back(&step, made.id);
    steps_.push_back(std::move(made));
  }

  [[nodiscard]] std::vector<RecipeStep> take() && { return std::move(steps_); }

 private:
  void add_inputs(const Operation& operation, const Recipe& recipe, RecipeStep& made) {
    if (operation.wants(InputKind::Image)) made.inputs[name_of(InputKind::Image)] = {};
    if (operation.wants(InputKind::Seeds) && !recipe.seeds.empty())
      made.inputs[name_of(InputKind::Seeds)] = {};
    for (const auto& [name, choice] : inputs_of(table_, recipe)) {
      made.inputs[name] = choice.step
                              ? RecipeInput{.step = id_of(*choice.step), .output = choice.output}
                              : RecipeInput{};
    }
    // Labels take the place of the image if they are given.
    if (made.inputs.contains(name_of(InputKind::Labels)) && operation.labels_replace_image())
      made.inputs.erase(name_of(InputKind::Image));
    const auto image = made.inputs.find(name_of(InputKind::Image));
    if (image != made.inputs.end() && image->second.is_of_case()) made.channel = recipe.channel;
  }

  [[nodiscard]] const std::string& id_of(const Step& step) const {
    return std::ranges::find_if(added_,
                                [&](const auto& each) { return same_step(*each.first, step); })
        ->second;
  }

  [[nodiscard]] std::string unused_id(const std::string& operation) const {
    const auto is_used = [&](const std::string& id) {
      return std::ranges::find(steps_, id, &RecipeStep::id) != steps_.end();
    };
    std::string id = operation;
    for (int number = 2; is_used(id); ++number)
      id = operation + "-" + std::to_string(number);
    return id;
  }

  const OperationTable& table_;
  ValuesOf values_of_;
  std::vector<RecipeStep> steps_;
  std::vector<std::pair<const Step*, std::string>> added_;  // with their ids
};

}  // namespace

SavedRecipe recipe_of_step(const OperationTable& table, const Step& step, const std::string& name,
                           std::optional<double> mpp) {
  Chain chain(table, [](const Operation&, const Step& each) { return each.recipe.values; });
  for (const Step* each : steps_behind(table, step, "recipe"))
    chain.add(*each);
  return {.name = name, .about = {}, .mpp = mpp, .steps = std::move(chain).take()};
}

SavedRecipe recipe_repeating(const OperationTable& table, const Step& step, const std::string& name,
                             bool image_is_2d) {
  Chain chain(table, [image_is_2d](const Operation& operation, const Step& each) {
    return used_values(operation, each, image_is_2d);
  });
  for (const Step* each : steps_behind(table, step, "command"))
    chain.add(*each);
  return {.name = name, .about = {}, .mpp = {}, .steps = std::move(chain).take()};
}

}  // namespace seedwave
