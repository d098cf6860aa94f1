// SPDX-License-Identifier: Apache-2.0
#include "core/recipes/recipe_of_step.h"

#include "core/base/error.h"
#include "core/engine/run_again.h"

#include <algorithm>
#include <map>
#include <utility>

namespace seedwave {
namespace {

/// Adds steps after those that they read, each once.
class Chain {
 public:
  explicit Chain(const OperationTable& table) : table_(table) {}

  /// Returns the id of the step.
  std::string add(const Step& step) {
    if (is_lost(step)) {
      throw InputError("run " + std::to_string(step.id) +
                       ", which this one reads, is no longer in the list: no recipe can repeat it");
    }
    const auto known = std::ranges::find_if(
        added_, [&](const auto& each) { return same_step(*each.first, step); });
    if (known != added_.end()) return known->second;
    const Operation& operation = table_.at(step.recipe.operation);
    RecipeStep made{.operation = operation.id, .values = step.recipe.values};
    if (const Implementation* own = approximate_one(operation, step))
      made.algorithm = own->algorithm;
    add_inputs(operation, step.recipe, made);
    made.id = unused_id(operation.id);
    added_.emplace_back(&step, made.id);
    steps_.push_back(std::move(made));
    return steps_.back().id;
  }

  [[nodiscard]] std::vector<RecipeStep> take() && { return std::move(steps_); }

 private:
  void add_inputs(const Operation& operation, const Recipe& recipe, RecipeStep& made) {
    for (const InputSpec& input : operation.inputs) {
      const std::string name = name_of(input.kind);
      const auto chosen = recipe.inputs.find(name);
      if (chosen != recipe.inputs.end() && chosen->second.step) {
        const std::string id = add(*chosen->second.step);
        made.inputs[name] = {.step = id, .output = chosen->second.output};
      } else if (chosen != recipe.inputs.end() || input.kind == InputKind::Image ||
                 (input.kind == InputKind::Seeds && !recipe.seeds.empty())) {
        made.inputs[name] = {};
      }
    }
    // Labels take the place of the image if they are given.
    if (made.inputs.contains(name_of(InputKind::Labels)) && operation.labels_replace_image())
      made.inputs.erase(name_of(InputKind::Image));
    const auto image = made.inputs.find(name_of(InputKind::Image));
    if (image != made.inputs.end() && image->second.is_of_case()) made.channel = recipe.channel;
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
  std::vector<RecipeStep> steps_;
  std::vector<std::pair<const Step*, std::string>> added_;  // with their ids
};

}  // namespace

SavedRecipe recipe_of_step(const OperationTable& table, const Step& step, const std::string& name,
                           std::optional<double> mpp) {
  Chain chain(table);
  chain.add(step);
  return {.name = name, .about = {}, .mpp = mpp, .steps = std::move(chain).take()};
}

}  // namespace seedwave
