// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/case_walk.h"
#include "core/session/document.h"
#include "ui/models/case_model.h"
#include "ui/models/file_saver.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"
#include "ui/window/file_commands.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// Keeps the open case of a walk in files, without a question: its session, its labels if it is
/// done, and the walk with its table.
class CaseKeeper : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  CaseKeeper(Workbench& workbench, RunController& runs, FileSaver& saver, FileCommands& files,
             CaseModel& model, QObject* parent);

  /// Another list was opened or closed: nothing is known of its files.
  void begin();
  /// Another case or image was opened: forgets what waits and what the labels file holds.
  void begin_case();
  /// Takes over the figures of the open case.
  void refresh();
  /// Writes the walk, and the labels of a done case, if they have changed.
  void write();
  /// Saves the session, too, awaits the result of a done case, and tells if it has no labels. Once
  /// all of it is in files, `go_on` is called; it replaces an earlier one.
  void keep(std::function<void()> go_on = nullptr);
  /// Returns whether something waits to go on.
  [[nodiscard]] bool is_waited_for() const { return go_on_ != nullptr; }
  /// Returns what waits to go on, and forgets it.
  [[nodiscard]] std::function<void()> drop() { return std::exchange(go_on_, nullptr); }

 signals:
  /// A message about the open case.
  void said(const QString& text);
  /// A done case was kept, but without labels or with older ones.
  void noted(const QString& text);
  /// The action that waited is dropped: the case could not be kept, or its result did not come.
  void gave_up();

 private:
  /// The work in progress, in its order.
  enum class State { Resting, AwaitingResult, SavingSession, WritingFiles };
  /// Identifies the labels of a result, with their edits, names and colours.
  struct Labels {
    std::string file;
    std::uint64_t run = 0;
    Edits edits;
    std::vector<LabelEntry> entries;
    friend bool operator==(const Labels&, const Labels&) = default;
  };

  /// Goes to the first state that has something to do; to Resting if none has.
  void advance();
  void rest();
  void give_up();
  /// Looks at the result that is awaited.
  void on_run_ended();
  void save_session();
  void write_files();
  [[nodiscard]] bool is_open() const { return model_.open_row() >= 0; }
  [[nodiscard]] bool is_done() const;
  /// Returns whether the open case is done and its labels file may not be that of its result.
  [[nodiscard]] bool needs_labels() const;
  /// Returns whether its result is on its way, and not only maps of it.
  [[nodiscard]] bool awaits_result() const;
  /// Returns the labels that belong into the file of the open case; nothing if there are none.
  [[nodiscard]] std::optional<Labels> labels_to_keep() const;
  /// Returns why a done case has no labels, or older ones, in its file; empty if it has.
  [[nodiscard]] QString why_no_labels() const;
  [[nodiscard]] QString name() const;

  Workbench& workbench_;
  RunController& runs_;
  FileSaver& saver_;
  FileCommands& files_;
  CaseModel& model_;
  State state_ = State::Resting;
  std::function<void()> go_on_;
  /// As keep() does; else as write().
  bool keeps_ = false;
  /// Counts the cases that were opened: what is written for another one changes nothing here.
  std::uint64_t visit_ = 0;
  /// The session was saved in this visit.
  bool is_touched_ = false;
  /// The walk and the labels in files, as far as they are known.
  std::optional<CaseWalk> written_walk_;
  std::optional<Labels> written_labels_;
  /// A request for a result can be withdrawn without an end of a run.
  QTimer look_again_;
};

}  // namespace seedwave::ui
