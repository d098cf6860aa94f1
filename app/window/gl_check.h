// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace seedwave::app {

/// What draws, as OpenGL names it.
struct GlInfo {
  /// Empty when OpenGL 3.2 can be had; else one sentence for the user.
  std::string problem;
  std::string renderer;
  std::string version;
};

/// Asks for a context as the 3-D view will. Needs a QApplication and the default format set.
[[nodiscard]] GlInfo check_gl();

}  // namespace seedwave::app
