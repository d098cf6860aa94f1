// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QString>

namespace seedwave::ui {

/// The names of parameters and choices on a grid, as the window shows them.

/// Returns the title of a choice; empty if it is not offered on this grid.
[[nodiscard]] QString title_on(const Choice& choice, const Geometry& grid);

/// Returns the unit of a parameter. Lengths are in units of the grid, however results are
/// displayed.
[[nodiscard]] QString unit_on(const Parameter& parameter, const Geometry& grid);

}  // namespace seedwave::ui
