// SPDX-License-Identifier: Apache-2.0
#include "ui/models/unsaved.h"

namespace seedwave::ui {

SavedState state_of(const Workbench& workbench, const RunController& runs) {
  SavedState state{.changes = workbench.steps().changes(),
                   .reference = workbench.document().reference,
                   .scored = workbench.document().scored,
                   .runs = {}};
  for (const Run& run : runs.history().runs()) {
    state.runs.push_back(
        {.id = run.id, .pinned = run.pinned, .curve_pinned = run.curve_pinned, .note = run.note});
  }
  return state;
}

Unsaved::Unsaved(Workbench& workbench, const RunController& runs, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs) {
  connect(&workbench_.steps().undo_stack(), &QUndoStack::cleanChanged, this, &Unsaved::changed);
  connect(&workbench_, &Workbench::reference_changed, this, &Unsaved::changed);
  connect(&workbench_, &Workbench::scored_changed, this, &Unsaved::changed);
  connect(&runs_.history(), &KeptRuns::changed, this, &Unsaved::changed);
  connect(&workbench_, &Workbench::image_changed, this, [this] {
    saved_ = {};  // a fresh document has neither runs nor a reference
    emit changed();
  });
}

bool Unsaved::steps() const {
  return workbench_.has_image() && !workbench_.steps().undo_stack().isClean();
}

bool Unsaved::results() const {
  if (!workbench_.has_image()) return false;
  const SavedState now = state_of(workbench_, runs_);
  return now.runs != saved_.runs || now.reference != saved_.reference ||
         now.scored != saved_.scored;
}

void Unsaved::set_saved(const SavedState& state) {
  saved_ = state;
  // Not by the place in the stack: a step that was undone may have given way to another there.
  if (workbench_.steps().changes() == state.changes) workbench_.steps().undo_stack().setClean();
  emit changed();
}

void Unsaved::set_lost() {
  workbench_.steps().undo_stack().resetClean();
  emit changed();
}

}  // namespace seedwave::ui
