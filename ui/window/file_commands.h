// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "ui/actions/actions.h"
#include "ui/models/file_opener.h"
#include "ui/models/file_saver.h"
#include "ui/models/unsaved.h"
#include "ui/models/workbench.h"

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>

class QMenu;
class QWidget;

namespace seedwave::ui {

/// What the file actions do: the dialogs around FileOpener and FileSaver.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  FileCommands(Actions& actions, Workbench& workbench, FileOpener& opener, FileSaver& saver,
               Unsaved& unsaved, QWidget* window);

  /// Opens files and folders; asks first when something is unsaved.
  void open(const QStringList& paths);
  /// The same for what was dropped: with a study on the table, one file may also be a reference or
  /// seeds of it, and the user is asked.
  void open_dropped(const QStringList& paths);
  /// The study that is shipped, with its example seeds.
  void open_sample();
  /// Asks for a file as an input ("marker", "mask") of the operation.
  void ask_input(const QString& input);
  /// Asks where to, and writes the map's values; null: says that there is none.
  void export_map(const ScalarMap* map);
  /// Asks where to, and writes the numbers or, where the name ends in .png, the picture.
  void export_plot(const QString& csv, const QImage& picture);
  void export_sweep(const QString& csv, const QImage& picture);
  /// Calls `go_on` when nothing is unsaved, or the user has thrown it away, or it has been saved;
  /// never when the user cancels or saving fails.
  void when_safe(std::function<void()> go_on);
  /// Offers what a crash left behind. `autosave` must outlive this.
  void offer_recovery(const Autosave& autosave);

 signals:
  /// Something to tell in the status line, for a while.
  void said(const QString& text);

 private:
  void connect_actions();
  void connect_opener();
  void connect_saver();
  void ask_open();
  void ask_open_folder();
  /// False when the user has cancelled.
  bool save();
  bool save_as();
  [[nodiscard]] QString what_is_unsaved() const;
  void choose_use(const QString& path);
  void ask_numbers_or_picture(const QString& title, const QString& name, const QString& csv,
                              const QImage& picture);
  void ask_export(const QString& title, const QString& name, const QString& filter,
                  const std::function<void(FileSaver&, const QString&)>& write);
  void ask_reference(const QString& path);
  void ask_series(const OpenedTogether& opened);
  void ask_grid(const QString& path, const QString& message, bool same_size);
  void ask_image(const QString& session, const QString& image, SessionUse use);
  void ask_in_use(const QString& session, const QString& image, const QString& holder);
  void ask_changed(const QString& session);
  void ask_damaged(const QString& message);
  void show_failure(const QString& what, const QString& message);
  void remember(const QString& path);
  void fill_recent();
  /// The folder in which the next dialog begins: that of the last one, or, if a study has come
  /// since without one (from the command line, or dropped), the one beside the study.
  [[nodiscard]] QString folder() const;
  void remember_folder(const QString& path);
  void begin_beside(const QString& study);
  /// A file to open, or ""; the dialog's folder is remembered.
  [[nodiscard]] QString ask_file(const QString& title);
  /// In the remembered folder, named after the study: "MRIcrop-labels.nii.gz".
  [[nodiscard]] QString suggested(const QString& name) const;

  Actions& actions_;
  Workbench& workbench_;
  FileOpener& opener_;
  FileSaver& saver_;
  Unsaved& unsaved_;
  QWidget* window_;
  QMenu* recent_ = nullptr;
  /// The folder of a study that no dialog has followed; else empty.
  QString study_folder_;
  /// What waits for the session to be saved.
  std::function<void()> after_saving_;
};

/// Where the sample study is, beside the binary or in the source tree; empty: nowhere.
[[nodiscard]] QString sample_folder();

}  // namespace seedwave::ui
