// SPDX-License-Identifier: Apache-2.0
#include "ui/window/edit_tools.h"

#include "core/image/histogram.h"
#include "ui/panels/edit_bar.h"
#include "ui/window/view_grid.h"
#include "ui/window/view_settings.h"

#include <QAction>

#include <algorithm>

namespace seedwave::ui {

EditTools::EditTools(Actions& actions, Workbench& workbench, const RunController& runs,
                     ViewGrid& views, EditBar& bar, QObject* parent)
    : QObject(parent),
      actions_(actions),
      workbench_(workbench),
      views_(views),
      bar_(bar),
      editor_(workbench, runs) {
  connect(&views_, &ViewGrid::edited, &editor_, &Editor::apply);
  views_.set_edit_filter([this](Label label) { return editor_.filter(label); });
  connect(&editor_, &Editor::rejected, this, [this](const QString& reason) {
    views_.clear_edit();
    if (!reason.isEmpty()) emit said(reason);
  });
  connect(&views_.settings(), &ViewSettings::tool_changed, this, &EditTools::show_bar);
  connect(&workbench_, &Workbench::image_changed, this, &EditTools::begin_with_image);
  connect(&workbench_, &Workbench::current_label_changed, this, &EditTools::show_lock);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Edits || part == Part::Labels) show_lock();
  });
  actions_.on_switch("label_lock", [this](bool on) {
    editor_.set_locked(workbench_.document().current_label, on);
    show_lock();
  });
  actions_.on("label_grow", [this] { editor_.grow(bar_.margin()); });
  actions_.on("label_shrink", [this] { editor_.shrink(bar_.margin()); });
  actions_.on("edits_remove", [this] { editor_.remove_all(); });
  connect_range();
  begin_with_image();
}

void EditTools::connect_range() {
  actions_.on_switch("edit_range", [this](bool) { choose_range(); });
  actions_.on_switch("edit_range_invert", [this](bool on) {
    if (on) actions_.at("edit_range")->setChecked(true);
    choose_range();
  });
  connect(&bar_, &EditBar::bounds_chosen, this, [this] {
    actions_.at("edit_range")->setChecked(true);
    choose_range();
  });
}

void EditTools::choose_range() {
  if (!actions_.at("edit_range")->isChecked()) {
    actions_.at("edit_range_invert")->setChecked(false);
    editor_.set_range(std::nullopt);
    return;
  }
  EditRange range = bar_.range();
  range.inverted = actions_.at("edit_range_invert")->isChecked();
  editor_.set_range(range);
}

void EditTools::begin_with_image() {
  const bool has_image = workbench_.has_image();
  for (const char* id : {"tool_edit", "tool_outline", "tool_part", "label_lock", "label_grow",
                         "label_shrink", "edit_range", "edit_range_invert"}) {
    actions_.at(id)->setEnabled(has_image);
  }
  actions_.at("edit_range")->setChecked(false);
  actions_.at("edit_range_invert")->setChecked(false);
  show_lock();
  bar_.setVisible(is_edit_tool(views_.settings().tool()));
  if (!has_image) return;
  // A margin below the spacing would reach no voxel.
  const Geometry& grid = workbench_.image().geometry();
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (grid.size[axis] > 1) longest = std::max(longest, grid.spacing[axis]);
  }
  const LengthScale lengths = length_scale(grid);
  bar_.show_unit(lengths);
  bar_.set_margin(std::max(1.0 / lengths.per_unit, longest));
  const Volume& scene = workbench_.opened().scene.volume;
  if (scene.empty()) return;
  const auto [lowest, highest] = workbench_.opened().scene.range;
  bar_.set_limits(lowest, highest);
  const GreyWindow& window = workbench_.opened().automatic_window;
  const bool grey = workbench_.image().components() == 1;
  bar_.show_range({.low = grey ? window.low() : lowest, .high = grey ? window.high() : highest});
}

void EditTools::show_bar() {
  // Not hidden again with the next tool: the planes would move each time.
  if (is_edit_tool(views_.settings().tool())) bar_.show();
}

void EditTools::show_lock() {
  const Document& document = workbench_.document();
  actions_.at("label_lock")->setChecked(document.edits.is_locked(document.current_label));
  actions_.at("edits_remove")->setEnabled(!document.edits.drawn.empty());
}

}  // namespace seedwave::ui
