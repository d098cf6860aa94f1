// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "ui/tools/bindings.h"

namespace seedwave::ui {

enum class DragGain { Coarse, Fine };

/// Returns the window after the pointer moved by (dx, dy) logical pixels. Right is wider; up
/// (negative dy) is brighter unless `level_drag` says otherwise. A pixel is max(1, width / 200)
/// values, and a tenth of that if Fine. For widths below 20 it is width / 200.
[[nodiscard]] GreyWindow dragged_window(const GreyWindow& window, double dx, double dy,
                                        DragGain gain, LevelDrag level_drag);

}  // namespace seedwave::ui
