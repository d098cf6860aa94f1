// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QString>

#include <string>

namespace seedwave::ui {

/// Chooses an operation, and for its image what a run gave that holds what it wants
/// (InputSpec::holds), as one step. Values that start at Otsu's threshold are set to it unless the
/// user set them before, or another image is read.
///
/// The image is the newest such result; for labels it is the result that is shown. What the user
/// chose stays where the operation has read it since that result was there, and so does a file.
void choose_operation(Workbench& workbench, const RunController& runs, const std::string& id,
                      const QString& title);

}  // namespace seedwave::ui
