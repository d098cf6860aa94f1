// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace seedwave::app {

/// While it lives, Qt's fatal error where it finds no display ends the program with one line and
/// kExitUnavailable, in place of several lines and abort(). For the time in which the QApplication
/// is made; what else Qt says then is printed as ever. One at a time.
class DisplayCheck {
 public:
  DisplayCheck();
  ~DisplayCheck();
  DisplayCheck(const DisplayCheck&) = delete;
  DisplayCheck& operator=(const DisplayCheck&) = delete;

 private:
  QtMessageHandler before_ = nullptr;
};

}  // namespace seedwave::app
