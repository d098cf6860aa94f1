// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace seedwave::app
