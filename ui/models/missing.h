// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/ops/operation.h"
#include "core/session/document.h"

#include <QString>

namespace seedwave::ui {

/// Returns what the user must still do before `operation` can run, in one plain sentence ("Paint
/// one stroke of background."); empty if nothing is missing.
///
/// image: the open image, or an empty one.
[[nodiscard]] QString what_is_missing(const Operation& operation, const Document& document,
                                      const Volume& image);

}  // namespace seedwave::ui
