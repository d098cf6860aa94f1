// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QString>

#include <optional>
#include <string>

namespace seedwave::ui {

/// Chooses an operation and, as its image or labels, a result with the content that it expects
/// (InputSpec::holds), as one step. Values that start at Otsu's threshold of the image that is read
/// are set to it, unless the user has set them.
///
/// This is the newest such result; for labels the displayed result, or else the newest. The user's
/// choice is kept if it is a file, or if the operation has run with it since that result. An
/// operation that expects nothing special goes on from the displayed image, if the displayed run
/// gives one and no labels, and was made without that operation; otherwise its image stays.
void choose_operation(Workbench& workbench, const RunController& runs, const std::string& id,
                      const QString& title);

/// Chooses an input of the operation. Values that are Otsu's threshold of the present image become
/// that of the new one.
void choose_input(Workbench& workbench, const RunController& runs, const std::string& input,
                  const std::optional<InputChoice>& choice);

/// Chooses the channel of a colour image. Values that are Otsu's threshold of the present channel
/// become that of the new one as soon as it is there.
void choose_channel(Workbench& workbench, const RunController& runs, const std::string& channel);

}  // namespace seedwave::ui
