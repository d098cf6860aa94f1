// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"

#include <string>

namespace seedwave {

/// The implementation that a run is repeated by: its own where that is approximate, else null,
/// since all others give the same.
[[nodiscard]] const Implementation* approximate_one(const Operation& operation, const Run& run);

/// The recipe that gives a run's digest again: with the values that it used, and by its own
/// implementation where that is approximate.
[[nodiscard]] Recipe recipe_again(const Operation& operation, const Run& run);

/// Why a run that was repeated gives another digest, for people: "the same strokes and values now
/// give another result, so ...".
[[nodiscard]] std::string why_another_result(const Operation& operation, const Run& run);

}  // namespace seedwave
