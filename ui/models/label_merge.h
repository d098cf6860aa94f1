// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <cstdint>
#include <vector>

/// Labels of a result under one number, by an operation of the table that renumbers
/// (Parameter::renumbers).
namespace seedwave::ui {

/// Those that `label` of the result that is shown can become: its other labels, and 0 for none.
/// Empty where there is no such result or operation, or where labels are too many to choose among.
[[nodiscard]] std::vector<std::uint16_t> labels_to_merge_into(const RunController& runs,
                                                              std::uint16_t label);

/// Chooses that operation, the result as its image and what it makes of `label`, as one step. A
/// result that it gave itself is not read again: what was merged before is merged with it.
void merge_label(Workbench& workbench, const RunController& runs, std::uint16_t label,
                 std::uint16_t into);

}  // namespace seedwave::ui
