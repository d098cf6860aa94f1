// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/labels.h"
#include "core/session/autosave.h"
#include "core/session/session_file.h"
#include "ui/base/mailbox.h"
#include "ui/models/run_controller.h"
#include "ui/models/unsaved.h"
#include "ui/models/workbench.h"

#include <QByteArray>
#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// Writes in the background, one file after the other, never over a file that it did not finish.
///
/// What is written is the state at the moment of the call. Writing is never cancelled: the
/// destructor waits for what has begun.
class FileSaver : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this. `autosave` may be null (tests, screenshots).
  FileSaver(const Workbench& workbench, const RunController& runs,
            std::shared_ptr<Autosave> autosave, QObject* parent = nullptr);
  ~FileSaver() override;

  /// Where save_session() without a name goes; empty: not saved yet.
  [[nodiscard]] const QString& session_path() const noexcept { return session_path_; }
  void set_session_path(const QString& path);

  void save_session(const QString& path);
  void export_labels(const QString& path);
  void export_seeds(const QString& path);
  /// As the operation made it, not as it is coloured.
  void export_map(const QString& path, const ScalarMap& map);
  /// A plot's CSV or PNG.
  void export_plot(const QString& path, const QByteArray& content);
  /// Makes the command of a run, and writes what it reads that is in no file yet: beside the
  /// session, or where that is not saved in the user's data. `command_ready` tells it.
  void prepare_command(std::uint64_t run);
  /// For Slicer where the name ends in .ctbl, else for ITK-SNAP.
  void export_label_table(const QString& path);
  /// Writes the autosave now when something changed since, then calls `done`.
  void autosave(std::function<void()> done = [] {});
  /// What is kept beside an autosave, so that it is known again when it is to be recovered. Called
  /// on the window's thread, only when something was written.
  void set_picture(std::function<QImage()> take) { take_picture_ = std::move(take); }
  /// A clean end: nothing is to be recovered.
  void discard_autosave();
  [[nodiscard]] bool busy() const noexcept { return writing_ > 0; }

 signals:
  void session_path_changed(const QString& path);
  /// `state` is what the file holds: the session may have gone on while it was written.
  void session_saved(const QString& path, const seedwave::ui::SavedState& state);
  void exported(const QString& path);
  /// The command works from now on. `files`: what was written for it.
  void command_ready(std::uint64_t run, const QString& command, const QStringList& files);
  void failed(const QString& what, const QString& message);

 private:
  /// Calls `write` on the writer's thread, then `done` on the window's when it succeeded.
  void start(const QString& what, std::function<void()> write, std::function<void()> done);
  [[nodiscard]] SessionFile session() const;
  [[nodiscard]] std::vector<io::LabelName> label_names() const;
  /// For what commands read.
  [[nodiscard]] QString command_folder() const;

  const Workbench& workbench_;
  const RunController& runs_;
  std::shared_ptr<Autosave> autosave_;
  QString session_path_;
  std::function<QImage()> take_picture_ = [] { return QImage(); };
  QTimer timer_;
  int writing_ = 0;
  Mailbox mailbox_;
  QThreadPool pool_;  // last: waits for its thread before the rest goes
};

}  // namespace seedwave::ui
