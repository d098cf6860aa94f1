// SPDX-License-Identifier: Apache-2.0
#include "core/engine/recipe.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace seedwave {

bool operator==(const InputChoice& a, const InputChoice& b) {
  const bool same =
      a.step && b.step ? same_step(*a.step, *b.step) : a.step == nullptr && b.step == nullptr;
  return same && a.file == b.file && a.output == b.output;
}

bool same_step(const Step& a, const Step& b) {
  return a.id == b.id && a.time == b.time && a.facts.digest == b.facts.digest;
}

namespace {

/// Returns whether values asked for give what a run used: the same numbers, or the same words,
/// which stand for the same numbers if nothing else differs.
bool gives_same_values(const Values& asked, const Step& made, const Operation& operation,
                       bool image_is_2d) {
  const Values before = checked_values(operation, effective_values(made.recipe), image_is_2d);
  return std::all_of(asked.begin(), asked.end(), [&](const auto& each) {
    const auto& [id, value] = each;
    return (made.facts.values.has(id) && made.facts.values.at(id) == value) ||
           (before.has(id) && before.at(id) == value);
  });
}

}  // namespace

bool agrees_but_for_edits(const Operation& operation, const Recipe& asked, const Step& made,
                          bool image_is_2d) {
  const Recipe& recipe = made.recipe;
  return asked.operation == recipe.operation && asked.algorithm == recipe.algorithm &&
         asked.backend == recipe.backend && asked.devices == recipe.devices &&
         asked.channel == recipe.channel && asked.requested == recipe.requested &&
         asked.inputs == recipe.inputs && asked.seeds == recipe.seeds &&
         gives_same_values(checked_values(operation, effective_values(asked), image_is_2d), made,
                           operation, image_is_2d);
}

Reads reads_of(const Recipe& recipe) {
  return recipe.inputs.contains(name_of(InputKind::Labels)) ? Reads::Labels : Reads::Image;
}

const InputChoice* source_of(const Recipe& recipe) {
  auto found = recipe.inputs.find(name_of(InputKind::Labels));
  if (found == recipe.inputs.end()) found = recipe.inputs.find(name_of(InputKind::Image));
  return found == recipe.inputs.end() || found->second.step == nullptr ? nullptr : &found->second;
}

bool is_lost(const Step& step) {
  return step.recipe.operation.empty();
}

InputChoice output_of(const Step& step, const std::string& output) {
  return {.file = {}, .step = std::make_shared<const Step>(step), .output = output};
}

Values effective_values(const Recipe& recipe) {
  Values values = recipe.values;
  for (const auto& [id, value] : recipe.fixed)
    values.set(id, value);
  return values;
}

RunRequest request_of(const Recipe& recipe, Inputs inputs) {
  return {.operation = recipe.operation,
          .values = effective_values(recipe),
          .how = {.algorithm = recipe.algorithm, .backend = recipe.backend},
          .inputs = std::move(inputs)};
}

}  // namespace seedwave
