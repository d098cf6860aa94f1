// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_again.h"

#include <algorithm>

namespace seedwave {
namespace {

const Implementation* implementation_of(const Operation& operation, const Step& step) {
  const auto& all = operation.implementations;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Implementation& each) {
    return each.algorithm == step.facts.algorithm && name_of(each.backend) == step.facts.backend;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Implementation* approximate_one(const Operation& operation, const Step& step) {
  const Implementation* own = implementation_of(operation, step);
  return own != nullptr && own->exactness == Exactness::Approximate ? own : nullptr;
}

Values used_values(const Operation& operation, const Step& step, bool image_is_2d) {
  Values used;
  for (const Parameter& parameter : operation.parameters) {
    if (!step.facts.values.has(parameter.id)) continue;
    const Value& value = step.facts.values.at(parameter.id);
    if (value != initial_value(parameter, image_is_2d)) used.set(parameter.id, value);
  }
  return used;
}

Recipe recipe_again(const Operation& operation, const Step& step) {
  Recipe again = step.recipe;
  again.values = step.facts.values;
  again.fixed = {};
  const Implementation* own = approximate_one(operation, step);
  again.algorithm = own == nullptr ? std::string() : own->algorithm;
  again.backend = own == nullptr ? std::nullopt : std::optional(own->backend);
  again.devices.clear();
  return again;
}

std::string why_another_result(const Operation& operation, const Step& step) {
  const std::string other = "the same strokes and values now give a different result, so ";
  if (implementation_of(operation, step) != nullptr) {
    return other + "the image or its channel has changed since that run";
  }
  return other + "the image or its channel has changed since that run, or its algorithm, '" +
         step.facts.algorithm + "' (" + step.facts.backend +
         "), which this program does not have, was approximate";
}

}  // namespace seedwave
