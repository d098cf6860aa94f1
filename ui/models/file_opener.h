// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/session/open_session.h"
#include "ui/models/background_task.h"
#include "ui/models/label_fit.h"
#include "ui/models/opened_together.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// A window's use of a session that it opens.
enum class SessionUse {
  /// Works on it: saving goes there, and no other window may have it open.
  Own,
  /// Looks at it: nothing is locked, and saving asks for another name.
  ReadOnly,
  /// Takes it over from a program that crashed.
  Recovered,
};

/// Opens anything in the background: studies, pictures, sessions, seeds, references.
///
/// What a path is, its content tells. A new request replaces the one in flight. Whatever has to be
/// asked of the user is a signal; the answer is another call. Nothing changes on the workbench
/// unless all was read.
class FileOpener : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  FileOpener(Workbench& workbench, RunController& runs, QObject* parent = nullptr);

  /// Files and folders, as dropped or named on the command line: what each is to the others,
  /// sort_paths() says.
  void open(const QStringList& paths);
  /// The answer to choice_needed: one item of the study, with what was opened together with it.
  void open_chosen(const OpenedTogether& opened, std::size_t item);
  /// Another item of the study that is open, by itself.
  void open_item(const io::Scan& scan, std::size_t item, const QString& path);
  void import_seeds(const QString& path);
  void import_reference(const QString& path, LabelFit fit = LabelFit::Exact);
  /// A file on the image's grid as an input ("marker", "mask") of the current operation: one step.
  void import_input(const QString& input, const QString& path);
  /// Names and colours for the labels of the document, and those that it does not have: one step.
  void import_label_table(const QString& path);
  /// A session that a crash left behind; it is not remembered as the user's file. `image`: where
  /// its image is now, as the answer to image_missing; empty: where it was.
  void recover(const std::filesystem::path& session, const QString& image = {});
  /// The answer to image_missing: the same session with its image at another place.
  void open_session_with_image(const QString& session, const QString& image,
                               SessionUse use = SessionUse::Own);
  /// The answer to damage_found: opens the same again and reads what is there of the image.
  void open_damaged();
  /// The answer to session_in_use. `image` as in open_session_with_image(), or empty.
  void open_session_read_only(const QString& session, const QString& image = {});
  /// How open() uses sessions; ReadOnly for programs that never save.
  void set_session_use(SessionUse use) noexcept { session_use_ = use; }
  /// The lock that this window holds; null: none. Opening the same session again needs it.
  void set_held_lock(std::shared_ptr<SessionLock> lock) { held_lock_ = std::move(lock); }
  void cancel();
  [[nodiscard]] bool busy() const noexcept { return task_.busy(); }

 signals:
  void started(const QString& what);
  void progressed(const QString& stage, double fraction);
  void ended();
  /// An image is on the workbench. `path` is what the user opened.
  void image_opened(const QString& path);
  /// What else was found there; `item` is the place of the one that is open.
  void item_opened(const QString& path, const seedwave::io::Scan& scan, std::size_t item);
  /// A session of the user's is on the workbench. `file`: where saving goes; null: it was opened
  /// read-only.
  void session_opened(const QString& path, const std::shared_ptr<seedwave::OpenSession>& file);
  /// What recover() was given is on the workbench, and in no file of the user's.
  void session_recovered(const QString& path);
  /// The study holds several items, and nothing of it is open yet.
  void choice_needed(const seedwave::ui::OpenedTogether& opened);
  /// The reference is on a different grid. `message` says both; `same_size`: the voxels could be
  /// taken as they stand.
  void grids_differ(const QString& path, const QString& message, bool same_size);
  /// The image is damaged or cut short, and nothing was opened; `message` names the file and says
  /// what is wrong.
  void damage_found(const QString& message);
  /// The answer for a recovered session goes to recover().
  void image_missing(const QString& session, const QString& image, seedwave::ui::SessionUse use);
  /// Another window has the session open; `holder` says which. `image`: as it was asked for.
  void session_in_use(const QString& session, const QString& image, const QString& holder);
  /// Opened with the study: labels on its grid, which it may be scored against.
  void reference_offered(const QString& path);
  /// What became of each file that was opened, a line each.
  void told(const QStringList& lines);
  void warned(const QStringList& warnings);
  void failed(const QString& what, const QString& message);

 private:
  using Delivery = BackgroundTask::Delivery;

  /// Reads an image; whether a damaged one is read is what the user answered.
  using ReadImage = std::function<Delivery(io::Damaged, Context&)>;

  void start(const QString& what, std::function<Delivery(Context&)> read);
  /// The same for an image, which may be damaged: then the user is asked.
  void start_image(const QString& what, const ReadImage& read);
  Delivery read_paths(const QStringList& paths, const std::shared_ptr<SessionLock>& held,
                      io::Damaged damaged, Context& context);
  Delivery read_study(const OpenedTogether& opened, std::size_t item, io::Damaged damaged,
                      Context& context);
  Delivery read_additions(const OpenedTogether& opened);
  void tell_what_became(const OpenedTogether& opened);
  void take_label_names(const std::vector<io::LabelName>& names);
  Delivery read_item(const io::Scan& scan, std::size_t item, const QString& path,
                     const QString& seeds, io::Damaged damaged, Context& context);
  Delivery read_session(const std::filesystem::path& path, const QString& image, SessionUse use,
                        const std::shared_ptr<SessionLock>& held, io::Damaged damaged,
                        Context& context);
  void start_session(const QString& what, const std::filesystem::path& path, const QString& image,
                     SessionUse use);

  Workbench& workbench_;
  RunController& runs_;
  SessionUse session_use_ = SessionUse::Own;
  std::shared_ptr<SessionLock> held_lock_;
  /// What is being read, in words.
  QString what_;
  /// The action of open_damaged(), set with damage_found.
  std::function<void()> read_damaged_;
  BackgroundTask task_;
};

}  // namespace seedwave::ui
