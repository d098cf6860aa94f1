// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seedwave::ui {

/// The views in a picture: all that are visible, or the one that had the focus last.
enum class PictureViews { All, Active };

/// A picture of views as they are on screen.
struct PictureChoice {
  PictureViews views = PictureViews::All;
  /// Drawn with this many times the pixels of the screen.
  int scale = 1;
  /// Texts, letters, scales, and the orientation cube.
  bool annotations = true;
  /// The crosshair, if it is shown on screen.
  bool crosshair = true;
  friend bool operator==(const PictureChoice&, const PictureChoice&) = default;
};

}  // namespace seedwave::ui
