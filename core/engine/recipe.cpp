// SPDX-License-Identifier: Apache-2.0
#include "core/engine/recipe.h"

#include <utility>

namespace seedwave {

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
