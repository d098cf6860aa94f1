// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/labels.h"
#include "core/io/surfaces.h"
#include "core/session/autosave.h"
#include "core/session/open_session.h"
#include "core/session/session_file.h"
#include "ui/base/mailbox.h"
#include "ui/models/run_controller.h"
#include "ui/models/unsaved.h"
#include "ui/models/workbench.h"

#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// Writes in the background, one file after the other. A file is replaced only once its new content
/// is complete.
///
/// The state at the moment of the call is written. Writing is never cancelled: the destructor waits
/// for the current write.
///
/// Work reaches the autosave right after each step (a stroke, a value), without the labels of new
/// runs, and once a minute with them. After a kill or a crash at most half a second of work is
/// lost. A session whose JSON file takes longer than 50 ms to write is written less often. Then ten
/// times that is lost, at most 5 seconds and a write.
class FileSaver : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this. `autosave` may be null (tests, screenshots).
  FileSaver(const Workbench& workbench, const RunController& runs,
            std::shared_ptr<Autosave> autosave, QObject* parent = nullptr);
  ~FileSaver() override;

  /// Returns the file of the open session; empty if it has not been saved.
  [[nodiscard]] const QString& session_path() const noexcept { return session_path_; }
  /// Sets the open session with its lock. Null: none, and the lock of the last one is released.
  void set_session(const QString& path, std::shared_ptr<OpenSession> session);
  /// Returns the lock of the open session, or null.
  [[nodiscard]] std::shared_ptr<SessionLock> session_lock() const;

  /// Saves the session. Refused if another program has changed the file: session_changed() is
  /// emitted, and the answer is another call with Overwritten or another path. Any other path than
  /// that of the open session is replaced, and locked from then on.
  void save_session(const QString& path, ForeignFile foreign = ForeignFile::Refused);
  /// The open session was read just now, so the autosave has nothing to keep.
  void set_kept();
  void export_labels(const QString& path);
  /// Returns what writes the labels of the displayed result, as they are now, to a file.
  [[nodiscard]] std::function<void(const std::filesystem::path&)> labels_writer() const;
  void export_seeds(const QString& path);
  /// Writes the regions as GeoJSON.
  void export_regions(const QString& path);
  /// Writes the surfaces of labels of the displayed result.
  void export_surfaces(const QString& path, const io::SurfaceChoice& choice);
  /// Writes a PNG.
  void export_picture(const QString& path, const QImage& picture);
  /// Writes the values as the operation computed them, not their colours.
  void export_map(const QString& path, const ScalarMap& map);
  /// Writes a file whose content is made in the background: a table, a plot.
  void export_content(const QString& title, const QString& path,
                      std::function<std::string()> content);
  /// Calls `work`, which writes files, after all that is being written; then, on the window's
  /// thread, `done` or, after failed(), `undone`.
  void write(const QString& title, std::function<void()> work, std::function<void()> done,
             std::function<void()> undone);
  /// Builds the command of a run, and writes inputs that are not in a file yet: beside the session
  /// or, if it is not saved, in the user's data. Emits `command_ready`.
  void prepare_command(std::uint64_t run);
  /// Writes for Slicer if the name ends in .ctbl, otherwise for ITK-SNAP.
  void export_label_table(const QString& path);
  /// Writes the autosave now if anything changed since the last one, then calls `done`.
  void autosave(std::function<void()> done = [] {});
  /// Sets the function that renders the thumbnail of an autosave, for the recovery dialog. Called
  /// on the window's thread, only when something was written.
  void set_picture(std::function<QImage()> take) { take_picture_ = std::move(take); }
  /// A normal exit: there is nothing to recover.
  void discard_autosave();
  /// Writes the autosave synchronously on the window's thread, after a failure there. Returns false
  /// if nothing could be written. Throws nothing.
  bool emergency_save() noexcept;
  [[nodiscard]] bool busy() const noexcept { return writing_ > 0; }

 signals:
  void session_path_changed(const QString& path);
  /// `state` is the content of the file: the session may have changed while it was written.
  void session_saved(const QString& path, const seedwave::ui::SavedState& state);
  /// Follows failed().
  void session_not_saved();
  /// Another program has changed the file since it was opened; nothing was written.
  void session_changed(const QString& path);
  void exported(const QString& path);
  /// The command works from now on. `files`: the files that were written for it.
  void command_ready(std::uint64_t run, const QString& command, const QStringList& files);
  void failed(const QString& what, const QString& message);

 private:
  /// Writes the work without new labels as soon as the writer is free and has paused.
  void keep_work_soon();
  void keep_work();
  /// Calls `work` on the writer's thread after all before it.
  void enqueue(std::function<void()> work);
  /// Calls `write` on the writer's thread, then `done` on the window's or, after failed(),
  /// `undone`.
  void start(
      const QString& what, std::function<void()> write, std::function<void()> done,
      std::function<void()> undone = [] {});
  [[nodiscard]] SessionFile session() const;
  /// Returns the names of the displayed result's labels; numbered objects have none.
  [[nodiscard]] std::vector<io::LabelName> result_names() const;
  /// Returns the folder of the inputs of commands.
  [[nodiscard]] QString command_folder() const;

  const Workbench& workbench_;
  const RunController& runs_;
  std::shared_ptr<Autosave> autosave_;
  QString session_path_;
  /// The file at `session_path_`. Used by the writer's thread only.
  std::shared_ptr<OpenSession> session_file_;
  std::function<QImage()> take_picture_ = [] { return QImage(); };
  QTimer timer_;
  /// For keep_work().
  QTimer soon_;
  QElapsedTimer since_kept_;
  qint64 keeping_ms_ = 0;
  /// Work arrived while the writer was busy.
  bool work_waits_ = false;
  int writing_ = 0;
  Mailbox mailbox_;
  /// The pool's work: handed over under our own lock, which thread sanitizers see.
  std::mutex queue_mutex_;
  std::deque<std::function<void()>> queue_;
  QThreadPool pool_;  // last: waits for its thread before the rest goes
};

}  // namespace seedwave::ui
