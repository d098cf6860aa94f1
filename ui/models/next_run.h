// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/fixed_values.h"
#include "core/engine/prepared_image.h"
#include "core/engine/recipe.h"
#include "core/engine/resolve.h"
#include "core/ops/operation_table.h"
#include "ui/models/background_task.h"
#include "ui/models/kept_runs.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>

#include <string>

namespace seedwave::ui {

/// Returns whether the window offers an operation: one with a result to look at. The table of
/// objects shows what others list.
[[nodiscard]] bool can_be_seen(const Operation& operation);

/// The run that the document asks for: its operation, its values, its inputs, and what is missing
/// before it can start.
class NextRun : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this object.
  NextRun(const Workbench& workbench, const OperationTable& table, const KeptRuns& history,
          QObject* parent = nullptr);

  [[nodiscard]] const OperationTable& table() const noexcept { return table_; }
  /// Returns the operation chosen in the document; the first of the table if that is unknown.
  [[nodiscard]] const Operation& operation() const;
  /// Returns the id of the document's operation if this version lacks it, otherwise "".
  [[nodiscard]] std::string unknown_operation() const;
  [[nodiscard]] Recipe recipe() const;
  /// Returns the data that recipes are applied to: the image of the workbench, and the runs that
  /// `inputs` lead to.
  [[nodiscard]] LoadedCase case_for(const InputChoices& inputs) const;

  /// Returns what is known of the image that the run reads: the open image, or the result of an
  /// earlier run that the document chose in its place. Empty until it is known.
  [[nodiscard]] const Scene& scene() const noexcept {
    return read_.empty() ? workbench_.opened().scene : scene_of_read_;
  }

  /// Returns the next thing that the user must do; empty if the run can start.
  [[nodiscard]] QString missing() const;
  /// Emits `missing_changed` if missing() has changed since the last call.
  void check_missing();

  /// Returns the values that the user set. Parameters that name a label and were left unset get a
  /// painted label, or as the background of chosen labels that of the run that gave them.
  [[nodiscard]] Values asked_values() const;
  /// Returns the values used for `auto` since the first run with these labels; empty before it.
  [[nodiscard]] Values fixed_values() const;
  /// Keeps the numbers that a run of the recipe used for `auto`.
  void keep_fixed_values(const Recipe& recipe, const Values& used);
  /// Drops these numbers, so that the next run estimates them from the current strokes. Returns
  /// them.
  FixedValues forget_fixed_values();
  void bring_back_fixed_values(FixedValues values);

 signals:
  /// Another image is read, and its scene is known.
  void scene_changed();
  void missing_changed(const QString& missing);
  void fixed_values_changed();

 private:
  /// Returns the step that gave the labels which the operation reads; null if it reads none, or
  /// those of a file.
  [[nodiscard]] const Step* labels_read() const;
  /// Returns the painted label of everything else in the labels that the operation reads; 0 if
  /// there is none, or if they are not painted labels.
  [[nodiscard]] Label background_of_input() const;
  /// Returns the parts of the machine that share a run; empty if it is chosen automatically.
  [[nodiscard]] std::string devices_for(const Operation& chosen) const;
  /// Returns the values that the user set and that have a meaning for images of this dimension.
  [[nodiscard]] Values applicable_values() const;
  /// Returns the result of an earlier run that is read as the image; empty for the open image, for
  /// files, and where it is no longer kept.
  [[nodiscard]] Volume result_read() const;
  /// Looks at the image that is read, if it is another one.
  void follow_image();

  const Workbench& workbench_;
  const OperationTable& table_;
  const KeptRuns& history_;
  FixedValues fixed_values_;
  QString last_missing_;
  Volume read_;                // result_read()
  Scene scene_of_read_;        // empty until its voxels were looked at
  BackgroundTask scene_task_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
