// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <string>

namespace seedwave::app {

/// The renderer, as OpenGL names it.
struct GlInfo {
  /// Empty if OpenGL 3.2 is available; else one sentence for the user.
  std::string problem;
  std::string renderer;
  std::string version;
};

/// Requests a context like that of the 3-D view. Needs a QApplication and the default format set.
[[nodiscard]] GlInfo check_gl();

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

/// Loads the fonts of the installed folder on a machine without any font (a bare server), so that
/// letters are not drawn as boxes. Does nothing elsewhere. Needs a QApplication.
void add_own_fonts_where_there_are_none();

}  // namespace seedwave::app
