// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/scored.h"

#include <QString>

namespace seedwave::ui {

/// Returns the note behind a Dice or its name: ", where the reference has a label", or empty if it
/// is that of the whole image.
[[nodiscard]] QString scored_note(Scored scored);

}  // namespace seedwave::ui
