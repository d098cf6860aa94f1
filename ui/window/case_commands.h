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
#include "ui/window/file_commands.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  /// Identifies the labels of a result, with their edits, names and colours.
  struct LabelsInFile {
    std::uint64_t run = 0;
    Edits edits;
    std::vector<LabelEntry> labels;
    friend bool operator==(const LabelsInFile&, const LabelsInFile&) = default;
  };
  /// A list that was read.
  struct ReadList {
    CaseWalk walk;
    std::vector<CohortCase> cases;
    std::shared_ptr<SessionLock> lock;
  };

  void connect_actions();
  void connect_files();
  [[nodiscard]] static ReadList read_list(const QStringList& paths,
                                          const std::shared_ptr<SessionLock>& held,
                                          Context& context);
  void take_list(ReadList list, const QStringList& paths);
  void close_list();
  /// Goes a step from the case that is open or, while another is being opened, from that one.
  void go(Step step);
  /// Returns the row of the step; -1 at the end of the list.
  [[nodiscard]] int row_after(int row, Step step) const;
  void start_opening(int row, Step step);
  void take_case(const QString& session);
  void pass_failed(const QString& name, const QString& message);
  /// Goes on if the result that was waited for is there.
  void go_on_with_result();
  /// Saves the case that is open and calls `go_on`: when its result is there, if it is done.
  void leave(const std::function<void()>& go_on);
  void set_done(int row, bool done);
  /// Writes the state of the walk, and the labels of the case if it is done.
  void keep();
  void write_labels();
  void write_state();
  void refresh_work();
  [[nodiscard]] CaseWork work_now() const;
  [[nodiscard]] QString labels_file() const;
  /// Returns the row whose session this is, or -1.
  [[nodiscard]] int row_of_session(const QString& session) const;
  void enable_actions();

  Actions& actions_;
  Workbench& workbench_;
  RunController& runs_;
  FileOpener& opener_;
  FileSaver& saver_;
  FileCommands& files_;
  CaseModel model_;
  /// In the order of the model.
  std::vector<CohortCase> cases_;
  std::shared_ptr<SessionLock> lock_;
  /// The row that is being opened, or -1, and the step that leads to it.
  int wanted_ = -1;
  Step step_ = Step::None;
  /// "P3 could not be opened: ...", for each case that was passed.
  QStringList passed_;
  /// Called when the result of the open case is there.
  std::function<void()> when_result_is_there_;
  /// The content of the labels file of the open case, if it is known.
  std::optional<LabelsInFile> in_file_;
  QTimer refresh_soon_;
};

}  // namespace seedwave::ui
