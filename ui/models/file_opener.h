// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/io/labels.h"
#include "core/parallel/context.h"
#include "core/session/document.h"
#include "core/session/open_session.h"
#include "ui/models/background_task.h"
#include "ui/models/label_fit.h"
#include "ui/models/run_controller.h"
#include "ui/models/workbench.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::ui {

/// Files and folders that were opened together, sorted by their content into the study and its
/// additions.
struct OpenedTogether {
  /// A session has its own image and strokes: nothing else is opened with it.
  QString session;
  /// The scan of the files that contain images, and the path of the first.
  io::Scan scan;
  QString study;
  /// Strokes for the study.
  QString seeds;
  /// Names and colours of labels.
  QString label_table;
  /// A label map on the grid of the study, offered as its reference.
  QString reference;
  /// "b.json: only one file with strokes can be opened", one line for each path that was left out.
  QStringList left_out;

  /// More than one path was given, so the outcome of each is reported.
  bool several = false;

  /// Returns the place of the only item that can be opened without a question, or -1.
  [[nodiscard]] int only_item() const;
};

/// Sorts paths by content. Among several single-file images, the first that is not a label map is
/// the study. A label map on its grid is offered as a reference; other images are left out. Folders
/// and DICOM files are scanned together, as one study with a choice of series.
/// Throws InputError (a path that cannot be read at all), Cancelled.
[[nodiscard]] OpenedTogether sort_paths(const QStringList& paths, Context& context);

/// Returns whether the file name is that of a label table.
[[nodiscard]] bool is_label_table(const QString& path);

/// A background task with a description for the user, as the status line shows it. New work
/// replaces the current one.
class NamedTask : public QObject {
  Q_OBJECT

 public:
  explicit NamedTask(QObject* parent = nullptr);

  /// what: a word or two.
  void start(const QString& what, BackgroundTask::Work work);
  void cancel();
  [[nodiscard]] bool busy() const noexcept { return task_.busy(); }

 signals:
  void started(const QString& what);
  void progressed(const QString& stage, double fraction);
  void ended();
  void failed(const QString& what, const QString& message);
  /// The work was cancelled: nothing will be delivered.
  void cancelled();

 private:
  QString what_;
  BackgroundTask task_;
};

/// A window's use of a session that it opens.
enum class SessionUse {
  /// Works on it: saving writes to it, and no other window may have it open.
  Own,
  /// Looks at it: nothing is locked, and saving asks for another name.
  ReadOnly,
  /// Takes it over from a program that crashed.
  Recovered,
};

/// The result of a recipe on a case, and the files that it was made from.
struct CaseFiles {
  /// Path and series.
  Source image;
  /// Empty if the result has none.
  QString labels;
  /// May be empty.
  QString reference;
};

/// A case of a list that a person walks through, whose work is kept in a session of its own.
struct CaseToWorkOn {
  QString name;
  CaseFiles files;
  /// Strokes that a new case begins with; may be empty.
  QString seeds;
  /// Need not exist yet.
  std::filesystem::path session;
  /// The user may decide that a damaged image is read.
  bool asks_about_damage = false;
};

/// Opens anything in the background: studies, 2-D images, sessions, seeds, references.
///
/// The content of a path determines what it is. A new request replaces the current one. Questions
/// to the user are signals, answered by another call. Nothing changes on the workbench until
/// everything has been read.
class FileOpener : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  FileOpener(Workbench& workbench, RunController& runs, QObject* parent = nullptr);

  /// Opens files and folders, dropped or named on the command line. sort_paths() determines their
  /// roles.
  void open(const QStringList& paths);
  /// Answers choice_needed: opens one item of the study, with everything opened together with it.
  void open_chosen(const OpenedTogether& opened, std::size_t item);
  /// Opens another item of the open study, alone.
  void open_item(const io::Scan& scan, std::size_t item, const QString& path);
  /// Opens the image of a case with its labels, as what Segment starts from: to be looked at and
  /// corrected.
  void open_case(const CaseFiles& files);
  /// Opens a case with its session or, if it has none yet, anew: with operation, values and labels
  /// of what is open. A failure is no message box but case_failed(), except for damage that the
  /// user is asked about.
  void open_work(const CaseToWorkOn& one);
  void import_seeds(const QString& path);
  void import_reference(const QString& path, LabelFit fit = LabelFit::Exact);
  /// Adds the regions of a file, and labels for classes that have none: one step.
  void import_regions(const QString& path);
  /// Reads a file on the grid of the image as an input ("marker", "mask") of the current operation:
  /// one step.
  void import_input(const QString& input, const QString& path);
  /// Reads names and colours for labels of the document, and adds missing labels: one step.
  void import_label_table(const QString& path);
  /// Opens a session, also as the answer to image_missing and session_in_use. `image`: the new path
  /// of its image; empty for the path in the session.
  void open_session(const std::filesystem::path& session, const QString& image,
                    SessionUse use = SessionUse::Own);
  /// Opens another part of the slide that is open, with the same document and undo steps. Runs and
  /// edits by hand belong to a part: they come back with it, as long as the slide is open. A
  /// reference that does not lie on the new part is left out.
  void open_part(const io::SlideView& view);
  /// Returns how many parts of the slide beside the open one have edits by hand: a session that is
  /// saved now does not hold these.
  [[nodiscard]] int other_edited_parts() const;
  /// Answers damage_found: opens the same image again and reads what is readable.
  void open_damaged();
  /// Sets how open() uses sessions: ReadOnly for programs that never save.
  void set_session_use(SessionUse use) noexcept { session_use_ = use; }
  /// Sets the lock that this window holds, or null. Opening the same session again needs it.
  void set_held_lock(std::shared_ptr<SessionLock> lock) { held_lock_ = std::move(lock); }
  /// Sets the function that is called, once all has been read, with what replaces the open image,
  /// so that the open work can be kept first. Null: it is called at once.
  void set_gate(std::function<void(std::function<void()> replace)> gate) {
    gate_ = std::move(gate);
  }
  /// Reads the files.
  [[nodiscard]] NamedTask& task() noexcept { return task_; }

 signals:
  /// An image is on the workbench. `path` is what the user opened.
  void image_opened(const QString& path);
  /// The scan that contains the opened item; `item` is its place.
  void item_opened(const QString& path, const seedwave::io::Scan& scan, std::size_t item);
  /// A session is on the workbench. `file`: the file that saving writes; null for any use but
  /// SessionUse::Own. A recovered session is in no file of the user.
  void session_opened(const QString& path, const std::shared_ptr<seedwave::OpenSession>& file,
                      seedwave::ui::SessionUse use);
  /// A case of a list could not be opened.
  void case_failed(const QString& name, const QString& message);
  /// Another part of the slide is on the workbench, with the document that was.
  void part_opened();
  /// The study contains several items, and none is open yet.
  void choice_needed(const seedwave::ui::OpenedTogether& opened);
  /// The reference is on a different grid. `message` describes both; `same_size`: the voxels could
  /// be used as they are.
  void grids_differ(const QString& path, const QString& message, bool same_size);
  /// The image is damaged or truncated, and nothing was opened. `message` names the file and the
  /// fault.
  void damage_found(const QString& message);
  void image_missing(const QString& session, const QString& image, seedwave::ui::SessionUse use);
  /// Another window has the session open; `holder` says which. `image`: as passed by the caller.
  void session_in_use(const QString& session, const QString& image, const QString& holder);
  /// A file opened with the study has labels on its grid, which can serve as its reference.
  void reference_offered(const QString& path);
  /// The outcome of each file that was opened, one line each.
  void told(const QStringList& lines);
  void warned(const QStringList& warnings);

 private:
  using Delivery = BackgroundTask::Delivery;

  /// Reads an image; the user decides whether a damaged one is read.
  using ReadImage = std::function<Delivery(io::Damaged, Context&)>;

  /// Reads an image. If it is damaged, the user is asked.
  void start_image(const QString& what, const ReadImage& read);
  Delivery read_paths(const QStringList& paths, const std::shared_ptr<SessionLock>& held,
                      io::Damaged damaged, Context& context);
  Delivery read_study(const OpenedTogether& opened, std::size_t item, io::Damaged damaged,
                      Context& context);
  Delivery read_additions(const OpenedTogether& opened);
  Delivery read_case(const CaseFiles& files, io::Damaged damaged, Context& context);
  Delivery read_work(const CaseToWorkOn& one, const std::string& channel,
                     const std::shared_ptr<SessionLock>& held, io::Damaged damaged,
                     Context& context);
  Delivery read_new_work(const CaseToWorkOn& one, const std::string& channel,
                         const std::shared_ptr<SessionLock>& held, io::Damaged damaged,
                         Context& context);
  /// Chooses Segment with labels to start from, and adopts their names.
  void start_from(const QString& labels, const std::vector<io::LabelName>& names);
  void tell_what_became(const OpenedTogether& opened);
  void take_label_names(const std::vector<io::LabelName>& names);
  Delivery read_item(const io::Scan& scan, std::size_t item, const QString& path,
                     const QString& seeds, io::Damaged damaged, Context& context);
  Delivery read_part(Document document, const std::shared_ptr<const io::Slide>& slide,
                     const io::Item& item, Context& context);
  /// Keeps what belongs to the open part.
  void leave_part();
  Delivery read_session(const std::filesystem::path& path, const QString& image, SessionUse use,
                        const std::shared_ptr<SessionLock>& held, io::Damaged damaged,
                        Context& context);
  /// Reads the image of a session.
  Delivery read_image_of(const std::filesystem::path& path, OpenSession::Read read, SessionUse use,
                         io::Damaged damaged, Context& context);

  Workbench& workbench_;
  RunController& runs_;
  SessionUse session_use_ = SessionUse::Own;
  std::shared_ptr<SessionLock> held_lock_;
  /// Runs and edits of a part of the open slide that was left.
  struct LeftPart {
    io::SlideView view;
    Edits edits;
    std::map<std::string, InputChoices> inputs;
    std::filesystem::path reference;
    std::vector<Run> runs;
  };
  std::vector<LeftPart> left_;
  /// The item that is open.
  io::Item item_;
  /// The action of open_damaged(), set with damage_found.
  std::function<void()> read_damaged_;
  std::function<void(std::function<void()> replace)> gate_;
  NamedTask task_;
};

}  // namespace seedwave::ui
