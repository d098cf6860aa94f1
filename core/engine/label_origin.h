// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/ops/operation_table.h"

namespace seedwave {

/// The run that a result's labels have their numbers from, and its operation.
struct LabelOrigin {
  const Operation& operation;
  const Run& run;
};

/// The run itself; of one that keeps the numbers of the labels that it read
/// (OutputSpec::holds_what_the_image_held) what they come from, as far back as the history knows.
/// Refers to the arguments.
[[nodiscard]] LabelOrigin label_origin(const OperationTable& table, const RunHistory& history,
                                       const Run& run);

}  // namespace seedwave
