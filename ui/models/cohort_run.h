// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/case_row.h"
#include "core/recipes/cohort.h"
#include "core/recipes/saved_recipe.h"
#include "ui/models/background_task.h"
#include "ui/models/cli_process.h"

#include <QObject>
#include <QString>

#include <vector>

namespace seedwave::ui {

/// A recipe applied to many cases by the command line, in the background: a case that crashes or
/// needs too much memory does not take the window with it, and the results are those of a script.
class CohortRun : public QObject {
  Q_OBJECT

 public:
  /// `program`: the command line; empty for the one beside this program.
  explicit CohortRun(const QString& program = {}, QObject* parent = nullptr);

  struct Order {
    SavedRecipe recipe;
    std::vector<CohortCase> cases;
    /// Gets a folder for each case, the recipe, the list of cases and a table. Made if needed.
    QString folder;
    /// Cases at the same time.
    int jobs = 1;
  };
  /// Starts a run; one at a time. Cases whose results are there are left out.
  void start(const Order& order);
  [[nodiscard]] bool busy() const { return writing_.busy() || process_.busy(); }
  [[nodiscard]] bool paused() const noexcept { return process_.paused(); }
  /// Returns whether the last run ended because of cancel().
  [[nodiscard]] bool cancelled() const noexcept { return process_.cancelled(); }
  /// A paused run takes no processor time.
  void set_paused(bool paused) { process_.set_paused(paused); }
  /// Finished cases are kept.
  void cancel();
  /// Writes the recipe and the list into the folder, then emits command_ready or failed.
  void prepare_command(const Order& order);

 signals:
  void case_began(const QString& name);
  void case_ended(const seedwave::CaseRow& row);
  void paused_changed(bool paused);
  /// The run has ended; the message is empty if every case has a result.
  void ended(const QString& message);
  /// A shell repeats the run by this line.
  void command_ready(const QString& command);
  void failed(const QString& message);

 private:
  void take_line(const QByteArray& line);

  BackgroundTask writing_;
  BackgroundTask preparing_;
  CliProcess process_;
};

}  // namespace seedwave::ui
