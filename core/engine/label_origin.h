// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/ops/operation_table.h"

namespace seedwave {

/// The step that assigned the numbers of a result's labels, and its operation.
struct LabelOrigin {
  const Operation& operation;
  const Step& step;
};

/// Returns the step itself. If it keeps the numbers of the labels that it read (kHeldByImage),
/// returns the origin of those. The result refers to the arguments.
[[nodiscard]] LabelOrigin label_origin(const OperationTable& table, const Step& step);

/// Returns whether the labels are those that the user painted. If seeds are optional, the step may
/// not have any.
[[nodiscard]] bool has_painted_labels(const LabelOrigin& origin);

/// Returns whether a step's labels are objects that an operation found and numbered, not labels
/// that the user named.
[[nodiscard]] bool holds_objects(const OperationTable& table, const Step& step);

/// Returns the number of ranks that a step's labels may have (LabelsForm::ranked); 0 if they are
/// not ranks.
[[nodiscard]] int ranks_in(const OperationTable& table, const Step& step);

}  // namespace seedwave
