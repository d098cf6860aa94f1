// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/ops/operation_table.h"

#include <string>

namespace seedwave {

/// The implementation that repeats a run: its own if that is approximate, else null, because all
/// exact ones give the same result.
[[nodiscard]] const Implementation* approximate_one(const Operation& operation, const Step& step);

/// Returns the values that a step used and that are not the initial ones of such an image: given
/// again, they give the same result.
[[nodiscard]] Values used_values(const Operation& operation, const Step& step, bool image_is_2d);

/// The recipe that reproduces a run's digest: with the values that it used, and with its own
/// implementation if that is approximate.
[[nodiscard]] Recipe recipe_again(const Operation& operation, const Step& step);

/// Explains to the user why a repeated run has a different digest: "the same strokes and values now
/// give a different result, so ...".
[[nodiscard]] std::string why_another_result(const Operation& operation, const Step& step);

}  // namespace seedwave
