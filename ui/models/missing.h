// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "core/session/document.h"
#include "core/session/run_history.h"

#include <QString>

namespace seedwave::ui {

/// What the user must still do before `operation` can run, in one plain sentence ("Paint one
/// stroke of background."); empty when nothing is missing.
[[nodiscard]] QString what_is_missing(const Operation& operation, const Document& document,
                                      bool has_image, const RunHistory& history);

}  // namespace seedwave::ui
