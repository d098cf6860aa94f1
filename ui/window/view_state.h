// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/document.h"
#include "ui/views/slice_state.h"

#include <string>
#include <vector>

namespace seedwave::ui {

/// The visible views.
enum class ViewLayout { Four, Axial, Coronal, Sagittal, Surface };

/// Applies the display state of a session; other members of `display` are unchanged.
void from_view_state(const ViewState& view, DisplayState& display);
[[nodiscard]] ViewState to_view_state(const DisplayState& display, double zoom,
                                      const std::string& layout);

/// Returns the name in a session file: "four", "axial", "coronal", "sagittal", "surface".
[[nodiscard]] std::string name_of(ViewLayout layout);
[[nodiscard]] ViewLayout layout_named(const std::string& name);

[[nodiscard]] std::vector<LabelStyle> label_styles(const std::vector<LabelEntry>& labels);

}  // namespace seedwave::ui
