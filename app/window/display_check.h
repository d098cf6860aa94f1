// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace seedwave::app {

/// Handles a missing display: while this object exists, Qt's fatal error ends the program with one
/// line and kExitUnavailable, instead of several lines and abort(). Keep it while the QApplication
/// is constructed; other messages of Qt are printed as usual. One at a time.
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
