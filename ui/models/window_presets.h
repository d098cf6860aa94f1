// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/io/image_source.h"

#include <QString>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// A named window; `key` is chosen with Alt, 0: none.
struct WindowPreset {
  QString name;
  GreyWindow window;
  int key = 0;
};

/// The presets for an image: CT those of resources/window_presets.json (a user may put a file of
/// that name and form into the configuration folder), all images those of the file itself.
[[nodiscard]] std::vector<WindowPreset> window_presets(const io::DisplayHints& hints);

/// The window to open an image with: the first that the file names, else the first preset of its
/// modality (soft tissue for CT). Nothing where the values must say: for MR, whose files name
/// windows of one slice, and where there is no preset.
[[nodiscard]] std::optional<GreyWindow> opening_window(const io::DisplayHints& hints);

}  // namespace seedwave::ui
