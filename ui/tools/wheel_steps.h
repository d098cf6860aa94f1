// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPoint>

class QWheelEvent;

namespace seedwave::ui {

/// Turns wheel and touchpad events into whole steps.
///
/// Reads whichever axis is not zero: Qt moves Alt+wheel, macOS Shift+wheel to the horizontal one.
/// High-resolution deltas are summed up to 120, one step; a change of direction starts anew.
class WheelSteps {
 public:
  /// The steps that this event completes: positive away from the user.
  [[nodiscard]] int add(const QWheelEvent& event);
  void reset() noexcept { rest_ = 0; }

 private:
  int rest_ = 0;
};

/// True for a two-finger movement on a touchpad, which pans instead of turning.
[[nodiscard]] bool is_touchpad(const QWheelEvent& event);

}  // namespace seedwave::ui
