// SPDX-License-Identifier: Apache-2.0
#include "ui/window/pointer_readout.h"

#include "ui/window/view_state.h"

#include <functional>

namespace seedwave::ui {

PointerReadout::PointerReadout(const Workbench& workbench, const RunController& runs,
                               const ViewSettings& settings, const MapDisplay& maps)
    : workbench_(workbench), runs_(runs), settings_(settings), maps_(maps) {
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    leave();  // the place belonged to the previous image
    read_labels();
  });
  connect(&workbench_, &Workbench::reference_changed, this, &PointerReadout::tell);
  connect(&workbench_, &Workbench::part_changed, this, [this](Part part) {
    if (part == Part::Labels) read_labels();
  });
  connect(&maps_, &MapDisplay::changed, this, &PointerReadout::tell);
  read_labels();
}

void PointerReadout::point_at(const Hover& hover) {
  hover_ = hover;
  emit pointed(hover.index);
  tell();
}

void PointerReadout::leave() {
  if (!hover_) return;
  hover_.reset();
  emit ended();
}

Label PointerReadout::label() const {
  const LabelMap& labels = runs_.displayed().result().labels;
  if (!hover_ || labels.empty() || !labels.geometry().contains(hover_->index)) return 0;
  return labels.at(hover_->index);
}

void PointerReadout::read_labels() {
  labels_ = label_styles(workbench_.document().labels);
  tell();
}

void PointerReadout::tell() {
  if (!hover_) return;
  const ScalarMap* map = maps_.chosen();
  const ScalarMap none;
  const DisplayedResult::OnScreen shown = runs_.displayed().on_screen();
  std::function<QString(Label)> name_of;
  if (runs_.displayed().has_objects())
    name_of = [this](Label label) { return runs_.displayed().label_text(label); };
  Readout told = readout({.image = workbench_.image(),
                          .result = shown.labels,
                          .map = map == nullptr ? none : *map,
                          .labels = labels_,
                          .unit = QString::fromStdString(workbench_.opened().loaded.hints.unit),
                          .in_patient = workbench_.opened().in_patient,
                          .name_of = name_of,
                          .patch = shown.patch.get()},
                         *hover_, settings_.display().head_foot);
  const LabelMap& reference = workbench_.reference().labels;
  if (!reference.empty() && reference.geometry().contains(hover_->index) &&
      reference.at(hover_->index) != 0) {
    if (!told.label.isEmpty()) told.label += QStringLiteral("; ");
    told.label += tr("reference: %1").arg(workbench_.label_name(reference.at(hover_->index)));
  }
  emit changed(told);
}

}  // namespace seedwave::ui
