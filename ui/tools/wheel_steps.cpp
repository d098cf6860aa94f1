// SPDX-License-Identifier: Apache-2.0
#include "ui/tools/wheel_steps.h"

#include <QInputDevice>
#include <QWheelEvent>

namespace seedwave::ui {
namespace {

constexpr int kStep = 120;  // one notch, in eighths of a degree

}  // namespace

int WheelSteps::add(const QWheelEvent& event) {
  const QPoint delta = event.angleDelta();
  const int turned = delta.y() != 0 ? delta.y() : delta.x();
  if ((turned > 0 && rest_ < 0) || (turned < 0 && rest_ > 0)) rest_ = 0;
  rest_ += turned;
  const int steps = rest_ / kStep;
  rest_ -= steps * kStep;
  return steps;
}

bool is_touchpad(const QWheelEvent& event) {
  return event.device() != nullptr && event.device()->type() == QInputDevice::DeviceType::TouchPad;
}

}  // namespace seedwave::ui
