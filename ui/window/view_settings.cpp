// SPDX-License-Identifier: Apache-2.0
#include "ui/window/view_settings.h"

#include "ui/models/window_presets.h"
#include "ui/window/view_state.h"

namespace seedwave::ui {

ViewSettings::ViewSettings(const Workbench& workbench) : workbench_(workbench) {
  connect(&workbench_, &Workbench::current_label_changed, this, [this](Label id) {
    Brush brush = brush_;
    brush.label = id;
    set_brush(brush);
  });
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    const BrushSizes sizes = brush_sizes(workbench_.image().geometry());
    if (!workbench_.has_image() || sizes == brush_.sizes) return;
    Brush brush = brush_;
    brush.sizes = sizes;
    brush.radius_mm = sizes.usual_mm;
    set_brush(brush);
  });
}

void ViewSettings::set_tool(Tool tool) {
  tool_ = tool;
  emit tool_changed(tool);
}

void ViewSettings::set_brush(const Brush& brush) {
  if (brush == brush_) return;
  brush_ = brush;
  emit brush_changed(brush);
}

void ViewSettings::set_bindings(const Bindings& bindings) {
  bindings_ = bindings;
  emit bindings_changed(bindings);
}

void ViewSettings::read_document() {
  const ViewState& view = workbench_.document().view;
  display_.inverted = workbench_.opened().loaded.hints.inverted;
  display_.in_patient = workbench_.opened().in_patient;
  from_view_state(view, display_);
  if (view.window_width <= 0.0) {
    set_automatic_window();
  } else {
    emit display_changed(display_);
  }
}

void ViewSettings::set_display(const DisplayState& display) {
  if (display == display_) return;
  display_ = display;
  emit display_changed(display_);
}

void ViewSettings::set_cursor(const Vec3& world) {
  DisplayState display = display_;
  display.cursor = world;
  set_display(display);
}

void ViewSettings::set_window(const GreyWindow& window) {
  display_.window = window;
  emit display_changed(display_);
}

void ViewSettings::set_automatic_window() {
  if (!workbench_.has_image()) return;
  if (const auto window = opening_window(workbench_.opened().loaded.hints)) {
    set_window(*window);
  } else if (workbench_.image().components() == 1) {
    set_window(workbench_.opened().automatic_window);
  } else {
    emit display_changed(display_);
  }
}

void ViewSettings::set_overlays_hidden(bool hidden) {
  if (hidden == overlays_hidden_) return;
  overlays_hidden_ = hidden;
  emit display_changed(display_);
}

}  // namespace seedwave::ui
