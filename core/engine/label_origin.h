// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/recipe.h"
#include "core/image/label_map.h"
#include "core/ops/operation_table.h"

#include <optional>

namespace seedwave {

/// The step that assigned the numbers of a result's labels, and its operation.
struct LabelOrigin {
  const Operation& operation;
  const Step& step;
};

/// Returns the step itself. If it keeps the numbers of the labels that it read (kHeldByImage), or
/// that it corrects (InputKind::Start), returns the origin of those. The result refers to the
/// arguments.
[[nodiscard]] LabelOrigin label_origin(const OperationTable& table, const Step& step);

/// Returns whether the labels are those that the user painted. If seeds are optional, the step may
/// not have any.
[[nodiscard]] bool has_painted_labels(const LabelOrigin& origin);

/// Returns whether a step's labels are objects that an operation found and numbered, not labels
/// that the user named.
[[nodiscard]] bool holds_objects(const OperationTable& table, const Step& step);

/// Returns whether each label is one object, such as a nucleus or a connected part: not a rank, a
/// label of a file, or a class of an operation that strokes could have named.
[[nodiscard]] bool numbers_objects(const OperationTable& table, const Step& step);

/// Returns the label of everything else that the origin of a step's labels was run with; 0 if it
/// has none.
[[nodiscard]] Label background_used(const LabelOrigin& origin);

/// A part of a label, which an operation numbered (NumbersParts).
struct PartOfLabel {
  Label of = 0;
  Label part = 0;
  /// The step that gave the label.
  const Step* source = nullptr;
};

/// Returns the part that the number of a label stands for; nothing if it stands for no part of a
/// label. The result refers to the step.
[[nodiscard]] std::optional<PartOfLabel> part_named(const OperationTable& table, const Step& step,
                                                    Label label);

/// Returns the number of ranks that a step's labels may have (LabelsForm::ranked); 0 if they are
/// not ranks.
[[nodiscard]] int ranks_in(const OperationTable& table, const Step& step);

}  // namespace seedwave
