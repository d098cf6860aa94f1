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

/// Returns whether the labels are those that the user painted. Where seeds are one way among
/// others, they may not have been given.
[[nodiscard]] bool has_painted_labels(const Operation& operation, const Run& run);

/// Returns whether the labels are objects that an operation found and numbered, not labels that the
/// user named.
[[nodiscard]] bool holds_objects(const Operation& operation, const Run& run);

/// The number of ranks that a run's labels may have (OutputSpec::ranked); 0 where they are none.
[[nodiscard]] int ranks_in(const Operation& operation, const Run& run);

}  // namespace seedwave
