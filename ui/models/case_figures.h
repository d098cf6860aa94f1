// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/case_walk.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

namespace seedwave::ui {

/// Returns the figures of the open work as a case of a walk; those of `before` while the result of
/// its session is on its way.
[[nodiscard]] CaseWork case_figures(const Workbench& workbench, const RunController& runs,
                                    const CaseWork& before);

}  // namespace seedwave::ui
