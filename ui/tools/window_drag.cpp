// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/window_drag.h"

#include <algorithm>

namespace seedwave::ui {
namespace {

constexpr double kPixelsAWidth = 200.0;
constexpr double kFineShare = 0.1;
/// Images with a small range (maps from 0 to 1) need a gain below one value a pixel.
constexpr double kSmallWidth = 20.0;

}  // namespace

GreyWindow dragged_window(const GreyWindow& window, double dx, double dy, DragGain gain,
                          LevelDrag level_drag) {
  double value_per_pixel = window.width / kPixelsAWidth;
  if (window.width >= kSmallWidth) value_per_pixel = std::max(1.0, value_per_pixel);
  if (gain == DragGain::Fine) value_per_pixel *= kFineShare;
  // Screen y points down; a lower centre is brighter.
  const double up = level_drag == LevelDrag::UpIsBrighter ? dy : -dy;
  const double least = std::min(window.width, window.width >= kSmallWidth ? 1.0 : 1e-6);
  return {window.centre + up * value_per_pixel,
          std::max(window.width + dx * value_per_pixel, least)};
}

}  // namespace seedwave::ui
