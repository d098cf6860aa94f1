// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "ui/tools/bindings.h"

namespace seedwave::ui {

enum class DragGain { Coarse, Fine };

/// The window after the pointer moved by (dx, dy) logical pixels: right is wider, up is brighter
/// (dy < 0) unless `level_drag` says otherwise. A pixel is max(1, width / 200) values, a tenth of
/// that when Fine; images with a width below 20 move by width / 200 alone.
[[nodiscard]] GreyWindow dragged_window(const GreyWindow& window, double dx, double dy,
                                        DragGain gain, LevelDrag level_drag);

}  // namespace seedwave::ui
