// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/scored.h"

#include <QString>

namespace seedwave::ui {

/// What stands behind a Dice, or its name: ", where the reference has a label"; "" where it is that
/// of the whole image.
[[nodiscard]] QString scored_note(Scored scored);

}  // namespace seedwave::ui
