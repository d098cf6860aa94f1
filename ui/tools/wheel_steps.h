// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPoint>

class QWheelEvent;

namespace seedwave::ui {

/// Converts wheel and touchpad events to whole steps.
///
/// Reads whichever axis is not zero: Qt moves Alt+wheel to the horizontal axis, macOS Shift+wheel.
/// High-resolution deltas are summed; a step is 120. A change of direction resets the sum.
class WheelSteps {
 public:
  /// Returns the number of steps that this event completes; positive away from the user.
  [[nodiscard]] int add(const QWheelEvent& event);
  void reset() noexcept { rest_ = 0; }

 private:
  int rest_ = 0;
};

/// Returns whether the event is a two-finger gesture on a touchpad, which pans instead of
/// scrolling.
[[nodiscard]] bool is_touchpad(const QWheelEvent& event);

}  // namespace seedwave::ui
