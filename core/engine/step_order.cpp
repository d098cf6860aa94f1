// SPDX-License-Identifier: Apache-2.0
#include "core/engine/step_order.h"

#include "core/base/error.h"

#include <algorithm>

namespace seedwave {
namespace {

void add_with_those_behind(const OperationTable& table, const Step& step, const std::string& what,
                           std::vector<const Step*>& order) {
  if (is_lost(step)) {
    throw InputError("run " + std::to_string(step.id) +
                     ", which this one reads, is no longer in the list: no " + what +
                     " can repeat it");
  }
  const auto is_same = [&step](const Step* each) { return same_step(*each, step); };
  if (std::any_of(order.begin(), order.end(), is_same)) return;
  for (const auto& [input, choice] : inputs_of(table, step.recipe)) {
    // The step that is read lives as long as the one that reads it.
    if (choice.step) add_with_those_behind(table, *choice.step, what, order);
  }
  order.push_back(&step);
}

}  // namespace

InputChoices inputs_of(const OperationTable& table, const Recipe& recipe) {
  InputChoices inputs;
  for (const InputSpec& input : table.at(recipe.operation).inputs) {
    const auto chosen = recipe.inputs.find(name_of(input.kind));
    if (chosen != recipe.inputs.end()) inputs.insert(*chosen);
  }
  return inputs;
}

std::vector<const Step*> steps_behind(const OperationTable& table, const Step& step,
                                      const std::string& what) {
  std::vector<const Step*> order;
  add_with_those_behind(table, step, what, order);
  return order;
}

}  // namespace seedwave
