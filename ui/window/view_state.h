// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/document.h"
#include "ui/views/slice_state.h"

#include <string>
#include <vector>

namespace seedwave::ui {

/// Which views are seen.
enum class ViewLayout { Four, Axial, Coronal, Sagittal, Surface };

/// Takes over what a session keeps of the picture; the rest of `display` stays.
void from_view_state(const ViewState& view, DisplayState& display);
[[nodiscard]] ViewState to_view_state(const DisplayState& display, double zoom,
                                      const std::string& layout);

/// The names of a session file: "four", "axial", "coronal", "sagittal", "surface".
[[nodiscard]] std::string name_of(ViewLayout layout);
[[nodiscard]] ViewLayout layout_named(const std::string& name);

[[nodiscard]] std::vector<LabelStyle> label_styles(const std::vector<LabelEntry>& labels);

}  // namespace seedwave::ui
