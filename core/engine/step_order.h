// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/ops/operation_table.h"

#include <string>
#include <vector>

namespace seedwave {

/// Returns the choices of a recipe for inputs that its operation has.
[[nodiscard]] InputChoices inputs_of(const OperationTable& table, const Recipe& recipe);

/// Returns a step and all that it reads, each once and after those that it reads itself. Throws
/// InputError if one is lost, so that no `what` ("command") can repeat it.
[[nodiscard]] std::vector<const Step*> steps_behind(const OperationTable& table, const Step& step,
                                                    const std::string& what);

}  // namespace seedwave
