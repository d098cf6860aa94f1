// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"

#include <string>

namespace seedwave {

/// The implementation that a run is repeated by: its own where that is approximate, else null,
/// since all others give the same.
[[nodiscard]] const Implementation* approximate_one(const Operation& operation, const Run& run);

/// What is asked for to get a run's digest again.
[[nodiscard]] ImplementationRequest how_again(const Operation& operation, const Run& run);

/// Why a run that was repeated gives another digest, for people: "the same strokes and values now
/// give another result, so ...".
[[nodiscard]] std::string why_another_result(const Operation& operation, const Run& run);

}  // namespace seedwave
