// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <cstdint>
#include <vector>

/// Merging of labels of a result, by the operation of the table that renumbers
/// (RenumbersLabels).
namespace seedwave::ui {

/// Returns the labels into which `label` of the displayed result can be merged: its other labels,
/// and 0 for none. Empty if there is no such result or operation, or if there are too many labels
/// to choose from.
[[nodiscard]] std::vector<Label> labels_to_merge_into(const RunController& runs, Label label);

/// Chooses that operation with the result as its image and the new number of `label`, as one step.
/// A result of that operation is not read again: the new merge is added to the previous ones.
void merge_label(Workbench& workbench, const RunController& runs, Label label, Label into);

}  // namespace seedwave::ui
