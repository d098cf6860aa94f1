// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "core/io/image_source.h"

#include <QString>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// A named window; `key` is chosen with Alt, 0 for none.
struct WindowPreset {
  QString name;
  GreyWindow window;
  int key = 0;
};

/// Returns the presets for an image: for CT those of resources/window_presets.json, for all images
/// those of the file. A user may put a file of that name and format into the configuration folder.
[[nodiscard]] std::vector<WindowPreset> window_presets(const io::DisplayHints& hints);

/// Returns the window to open an image with: the first one in the file, otherwise the first preset
/// of its modality (soft tissue for CT). Returns nothing if the window must come from the values:
/// for MR, whose files store the window of a single slice, and without a preset.
[[nodiscard]] std::optional<GreyWindow> opening_window(const io::DisplayHints& hints);

}  // namespace seedwave::ui
