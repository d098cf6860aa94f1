// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/histogram.h"
#include "ui/models/workbench.h"
#include "ui/tools/bindings.h"
#include "ui/tools/brush.h"
#include "ui/views/slice_state.h"

#include <QObject>

namespace seedwave::ui {

/// The user's settings for all views: tool, brush, mouse bindings and display.
class ViewSettings : public QObject {
  Q_OBJECT

 public:
  /// `workbench` must outlive this. The brush paints its current label.
  explicit ViewSettings(const Workbench& workbench);

  void set_tool(Tool tool);
  [[nodiscard]] Tool tool() const noexcept { return tool_; }
  void set_brush(const Brush& brush);
  [[nodiscard]] const Brush& brush() const noexcept { return brush_; }
  void set_bindings(const Bindings& bindings);
  [[nodiscard]] const Bindings& bindings() const noexcept { return bindings_; }

  /// Takes the display from the document; without a window there, the automatic one.
  void read_document();
  void set_display(const DisplayState& display);
  /// Returns the display. Its overlay.kind is the user's choice for results with labels and maps;
  /// the look of the map is in MapDisplay.
  [[nodiscard]] const DisplayState& display() const noexcept { return display_; }
  void set_cursor(const Vec3& world);
  void set_window(const GreyWindow& window);
  /// Sets the automatic window for the kind of image: percentiles, or the tissue of an MR.
  void set_automatic_window();
  /// Hides all overlays while true.
  void set_overlays_hidden(bool hidden);
  [[nodiscard]] bool overlays_hidden() const noexcept { return overlays_hidden_; }

 signals:
  void tool_changed(seedwave::ui::Tool tool);
  void brush_changed(const seedwave::ui::Brush& brush);
  void bindings_changed(const seedwave::ui::Bindings& bindings);
  /// The display has changed, or overlays are hidden or shown again.
  void display_changed(const seedwave::ui::DisplayState& display);

 private:
  const Workbench& workbench_;
  Tool tool_ = Tool::Navigate;
  Brush brush_;
  Bindings bindings_ = bindings_of(BindingPreset::Seedwave);
  DisplayState display_;
  bool overlays_hidden_ = false;
};

}  // namespace seedwave::ui
