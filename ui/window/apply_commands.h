// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/cohort.h"
#include "core/recipes/saved_recipe.h"
#include "ui/actions/actions.h"
#include "ui/models/background_task.h"
#include "ui/models/cohort_model.h"
#include "ui/models/cohort_run.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/window/file_commands.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QWidget;

namespace seedwave::ui {

class ApplyDialog;

/// Applies the displayed chain of runs, or a recipe file, to many cases in the background.
class ApplyCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this. `program`: as CohortRun.
  ApplyCommands(Actions& actions, Workbench& workbench, const RunController& runs,
                FileOpener& opener, FileCommands& files, QWidget* window,
                const QString& program = {});

 signals:
  /// A temporary message for the status bar.
  void said(const QString& text);

 private:
  void open_dialog();
  void build_dialog();
  void offer_displayed_run();
  void add_recipe_file(const QString& path);
  /// Adds it to those to choose from. Returns whether it can be used; otherwise the dialog says
  /// why.
  bool offer_recipe_file(const QString& path);
  void show_recipe();
  void add_paths(const QStringList& paths);
  /// Looks for the cases in the background, and calls `then` when they are in the model.
  void find(const std::function<void()>& then = {});
  /// Calls `then` at once, or when the cases of what was typed last are found.
  void when_found(const std::function<void()>& then);
  void start();
  void open_case(int row);
  /// A result that was opened and not changed yet lies in its folder.
  void keep_opened_case();
  [[nodiscard]] CohortRun::Order order() const;

  Workbench& workbench_;
  const RunController& runs_;
  FileOpener& opener_;
  FileCommands& files_;
  QWidget* window_;
  CohortModel model_;
  CohortRun run_;
  CohortSources sources_;
  /// In the order of the dialog.
  std::vector<SavedRecipe> recipes_;
  CaseFiles opened_;     // until all of it is on the workbench
  SavedRecipe offered_;  // the last one of a displayed run
  QPointer<ApplyDialog> dialog_;
  BackgroundTask finding_;  // last: its thread ends before the other members are destroyed
};

}  // namespace seedwave::ui
