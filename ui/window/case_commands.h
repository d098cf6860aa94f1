// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recipes/cohort.h"
#include "core/session/case_walk.h"
#include "core/session/session_lock.h"
#include "ui/actions/actions.h"
#include "ui/models/case_model.h"
#include "ui/models/file_opener.h"
#include "ui/models/file_saver.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/window/case_keeper.h"
#include "ui/window/file_commands.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::ui {

/// A person's walk through a list of cases: one after the other is opened, and the one before is
/// saved without a question.
class CaseCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  CaseCommands(Actions& actions, Workbench& workbench, RunController& runs, FileOpener& opener,
               FileSaver& saver, FileCommands& files, QWidget* window);

  [[nodiscard]] CaseModel& model() noexcept { return model_; }
  /// Opens a list, a folder, or images as the cases.
  void open(const QStringList& paths);
  /// Opens the case of a row.
  void go_to(int row);

 signals:
  /// A list was opened or closed.
  void list_changed(bool is_open);
  /// A temporary message for the status bar.
  void said(const QString& text);

 private:
  /// The case to go to, seen from another.
  enum class Step { None, Next, Previous, NextNotDone };
  /// A case that is being opened.
  struct Opening {
    int row = -1;
    /// That which led to the row, and goes on if the case cannot be opened.
    Step step = Step::None;
    /// The cases that could not be opened on the way.
    CaseModel::Failures passed{};
  };
  /// A list that was read.
  struct ReadList {
    CaseWalk walk;
    std::vector<CohortCase> cases;
    std::shared_ptr<SessionLock> lock;
  };

  void connect_actions();
  void connect_files();
  void connect_keeper();
  [[nodiscard]] static ReadList read_list(const QStringList& paths,
                                          const std::shared_ptr<SessionLock>& held,
                                          Context& context);
  void take_list(ReadList list, const QStringList& paths);
  void close_list();
  /// Goes a step from the case that is open or, while another is being opened, from that one.
  void go(Step step);
  /// Returns the row of the step, without the cases that were passed; -1 at the end of the list.
  [[nodiscard]] int row_after(int row, Step step, const CaseModel::Failures& passed = {}) const;
  [[nodiscard]] bool is_opening() const;
  /// Asks first if other work than that of a case is open and not saved.
  void leave_for(const Opening& opening);
  void start_opening(Opening opening);
  /// Another image or session is on the workbench.
  void take_work(const QString& session);
  void take_case(int row);
  /// Tries the next one in place of a case that cannot be opened.
  void pass_failed(const QString& name, const QString& message);
  /// Ends the opening; returns a line about the cases that were passed, empty if none was.
  QString end_opening();
  void set_done(int row, bool done);
  /// The open case was saved as another session, which takes its place.
  void detach();
  /// Sets whether the open work is kept as that of a case, whatever takes its place.
  void keep_without_question(bool keeps);
  /// Return the row of a session or stem, or -1.
  [[nodiscard]] int row_of_stem(const std::string& stem) const;
  [[nodiscard]] int row_of_session(const QString& session) const;
  void enable_actions();

  Actions& actions_;
  Workbench& workbench_;
  RunController& runs_;
  FileOpener& opener_;
  FileSaver& saver_;
  FileCommands& files_;
  CaseModel model_;
  CaseKeeper keeper_;
  /// In the order of the model.
  std::vector<CohortCase> cases_;
  std::shared_ptr<SessionLock> lock_;
  std::optional<Opening> opening_;
  /// The keeper's note on the case that is left, for the message about the next one.
  QString note_;
  QTimer refresh_soon_;
};

}  // namespace seedwave::ui
