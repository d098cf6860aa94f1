// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QString>

namespace seedwave::ui {

/// The names that parameters and choices have on a grid, wherever the window says them.

/// Empty where the choice is not offered there.
[[nodiscard]] QString title_on(const Choice& choice, const Geometry& grid);

/// The values of a length are in units of the grid, whatever lengths are read in.
[[nodiscard]] QString unit_on(const Parameter& parameter, const Geometry& grid);

}  // namespace seedwave::ui
