// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/edit_gesture.h"
#include "core/image/label_map.h"
#include "ui/models/background_task.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace seedwave::ui {

/// Changes the document's edits by hand. Each change is a named step. Voxels of locked labels are
/// not changed, nor does another voxel get a locked label.
///
/// If the displayed result numbers the objects of a 2-D image, an outline is an object of its own,
/// and so is a stroke unless it begins in an object, which it then enlarges. New objects have
/// numbers from kFirstDrawnObject on, which further runs seldom use.
class Editor : public QObject {
  Q_OBJECT

 public:
  static constexpr Label kFirstDrawnObject = 50001;

  /// Both must outlive this object.
  Editor(Workbench& workbench, const RunController& runs, QObject* parent = nullptr);

  /// Empty: edits are not limited by intensity.
  void set_range(const std::optional<EditRange>& range) { range_ = range; }
  /// Returns which voxels an edit with that label may change.
  [[nodiscard]] EditFilter filter(Label label) const;

  /// Strokes and outlines are done on return, parts and margins in the background.
  void apply(const EditGesture& gesture);
  /// Grows the current label by a distance [unit of the grid], or shrinks it.
  void grow(double distance);
  void shrink(double distance);
  /// Locks a label with the voxels that it has in the displayed result, or unlocks it.
  void set_locked(Label label, bool locked);
  /// Gives all edited voxels back to the results; locks stay.
  void remove_all();

 signals:
  /// An edit came to nothing; says why, unless it would have changed nothing.
  void rejected(const QString& reason);

 private:
  /// Makes the edits of a gesture with the label that it has.
  void carry_out(const EditGesture& gesture);
  /// Returns the label of the object that a gesture draws, or its own label if it draws none.
  /// Nothing if there is no number for another object.
  [[nodiscard]] std::optional<Label> label_of(const EditGesture& gesture) const;
  /// Returns the label that the user sees at a place; 0 for none.
  [[nodiscard]] Label label_on_screen(const Vec3& world) const;
  /// Returns the smallest number for a drawn object that neither the result nor an edit has.
  [[nodiscard]] std::optional<Label> next_object() const;
  /// Edits the voxels that the filter allows.
  void put(const std::vector<LabelRun>& runs, const EditGesture& gesture);
  /// Makes the edits a step of the document.
  void push(Edits edits, const QString& step_name);
  [[nodiscard]] QString name_of(const EditGesture& gesture) const;
  [[nodiscard]] QString nothing_found(const EditGesture& gesture) const;
  /// Returns the displayed labels on the grid of the image; without a result, the edits alone.
  [[nodiscard]] LabelMap labels() const;

  Workbench& workbench_;
  const RunController& runs_;
  std::optional<EditRange> range_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
