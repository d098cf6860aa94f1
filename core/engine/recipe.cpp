// SPDX-License-Identifier: Apache-2.0
#include "core/engine/recipe.h"

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

bool differs_in_edits_alone(const Operation& operation, const Recipe& asked, const Step& made,
                            bool image_is_2d) {
  const Recipe& recipe = made.recipe;
  return asked.edits != recipe.edits && asked.operation == recipe.operation &&
         asked.algorithm == recipe.algorithm && asked.backend == recipe.backend &&
         asked.channel == recipe.channel && asked.requested == recipe.requested &&
         asked.inputs == recipe.inputs && asked.seeds == recipe.seeds &&
         checked_values(operation, effective_values(asked), image_is_2d) == made.facts.values;
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
