// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/image_source.h"
#include "core/io/surfaces.h"
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
#include <string>
#include <utility>

class QMenu;
class QWidget;

namespace seedwave::ui {

/// The file actions: dialogs around FileOpener and FileSaver.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this.
  FileCommands(Actions& actions, Workbench& workbench, FileOpener& opener, FileSaver& saver,
               Unsaved& unsaved, QWidget* window);

  /// Opens files and folders; asks first if there is unsaved work.
  void open(const QStringList& paths);
  /// As open(), for dropped files. If a study is open, one file may also be its reference or its
  /// seeds, and the user is asked.
  void open_dropped(const QStringList& paths);
  /// Asks for files to open, or for a folder; empty if the user cancels.
  [[nodiscard]] QStringList ask_files(const QString& title, const QString& filter = {});
  [[nodiscard]] QString ask_folder(const QString& title);
  /// Adds a path to the recent files.
  void remember(const QString& path);
  /// Sets the function that keeps the open work without a question, as that of a case of a list,
  /// and then calls its argument. Null: the user is asked.
  void set_keeper(std::function<void(std::function<void()> go_on)> keeper) {
    keeper_ = std::move(keeper);
  }
  [[nodiscard]] bool has_unsaved() const { return unsaved_.any(); }
  /// Saves the session, then calls `go_on`, or `give_up` if it was not saved.
  void save_then(std::function<void()> go_on, std::function<void()> give_up);
  /// Returns the suffix of the format in which labels were exported last.
  [[nodiscard]] QString label_suffix() const;
  /// Opens the study that is shipped, with its example seeds.
  void open_sample();
  /// Asks for a file as an input ("marker", "mask") of the operation.
  void ask_input(const QString& input);
  /// Asks for a path and writes the values of the map. Does nothing if it is null.
  void export_map(const ScalarMap* map);
  /// Asks for a path and writes the numbers or, if the name ends in .png, the image.
  void export_plot(const QString& csv, const QImage& picture);
  /// Asks for a path and writes the surfaces of labels in the format of the suffix.
  void export_surfaces(const QString& suffix, const io::SurfaceChoice& choice);
  /// Asks for a path and writes a PNG. A null picture, which could not be drawn, is reported.
  void export_picture(const QImage& picture);
  void export_sweep(const QString& csv, const QImage& picture);
  /// Asks for a file and writes the table of objects.
  void export_objects(const std::function<std::string()>& csv);
  /// Asks for a file and writes a recipe.
  void export_recipe(const std::string& text);
  /// Calls `go_on` if nothing is unsaved, or after the user has discarded or saved it, or after the
  /// keeper has. Does not call it if the user cancels or saving fails.
  void when_safe(std::function<void()> go_on);
  /// Everything on the workbench is in files: there is nothing to save.
  void set_all_kept();
  /// Offers the sessions left by a crash. `autosave` must outlive this.
  void offer_recovery(const Autosave& autosave);

 signals:
  /// A temporary message for the status bar.
  void said(const QString& text);
  /// A list of cases is to be opened.
  void list_wanted(const QStringList& paths);

 private:
  void connect_actions();
  void connect_opener();
  void connect_saver();
  /// Returns false if the user has cancelled.
  bool save();
  bool save_as();
  void write_session(const QString& path, ForeignFile foreign = ForeignFile::Refused);
  /// Forgets what waits for the session to be saved.
  void give_up();
  [[nodiscard]] QString what_is_unsaved() const;
  void choose_use(const QString& path);
  void ask_numbers_or_picture(const QString& title, const QString& name, const QString& csv,
                              const QImage& picture);
  void ask_export(const QString& title, const QString& name, const QString& filter,
                  const std::function<void(FileSaver&, const QString&)>& write);
  void choose_use_of_regions(const QString& path);
  void ask_reference(const QString& path);
  void ask_series(const OpenedTogether& opened);
  void ask_grid(const QString& path, const QString& message, bool same_size);
  void ask_image(const QString& session, const QString& image, SessionUse use);
  void ask_in_use(const QString& session, const QString& image, const QString& holder);
  void ask_changed(const QString& session);
  void ask_damaged(const QString& message);
  void show_failure(const QString& what, const QString& message);
  void fill_recent();
  /// Returns the folder in which the next dialog starts: that of the last dialog. If a study was
  /// opened since without a dialog (from the command line, or dropped), the folder beside the
  /// study.
  [[nodiscard]] QString folder() const;
  void remember_folder(const QString& path);
  void begin_beside(const QString& study);
  /// Returns a file to open, or an empty text. The dialog's folder is remembered.
  [[nodiscard]] QString ask_file(const QString& title);
  /// Returns a path in the remembered folder, named after the study: "MRIcrop-labels.nii.gz".
  [[nodiscard]] QString suggested(const QString& name) const;

  Actions& actions_;
  Workbench& workbench_;
  FileOpener& opener_;
  FileSaver& saver_;
  Unsaved& unsaved_;
  QWidget* window_;
  QMenu* recent_ = nullptr;
  /// The folder of a study opened since the last dialog; otherwise empty.
  QString study_folder_;
  std::function<void(std::function<void()>)> keeper_;
  /// The session is being written.
  bool is_saving_ = false;
  /// The actions that wait for the session: the first if it is saved, the other if not.
  std::function<void()> after_saving_;
  std::function<void()> without_saving_;
};

/// Returns a folder that ships with the program ("recipes"), beside the binary or in the source
/// tree; empty if there is none.
[[nodiscard]] QString shipped_folder(const QString& name);
/// Returns that of the sample study.
[[nodiscard]] QString sample_folder();

}  // namespace seedwave::ui
