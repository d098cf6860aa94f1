// SPDX-License-Identifier: Apache-2.0
#include "ui/window/file_commands.h"

#include "core/io/region_file.h"
#include "core/session/case_walk.h"
#include "ui/models/path_text.h"
#include "ui/panels/recovery_dialog.h"
#include "ui/panels/series_dialog.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>

#include <utility>
#include <vector>

namespace seedwave::ui {

namespace {

constexpr int kMostRecent = 10;

bool is_flat(const Workbench& workbench) {
  return workbench.has_image() && workbench.image().geometry().is_2d();
}

QString image_filter(const Workbench& workbench) {
  const QString any = FileCommands::tr("NIfTI (*.nii.gz *.nii);;NRRD (*.nrrd);;MetaImage (*.mha)");
  return is_flat(workbench) ? FileCommands::tr("PNG (*.png);;TIFF (*.tif *.tiff);;") + any : any;
}

/// 2-D images are exported as PNG: most programs for them do not read NIfTI.
QString image_suffix(const Workbench& workbench) {
  return is_flat(workbench) ? QStringLiteral(".png") : QStringLiteral(".nii.gz");
}

QString label_suffix_key() {
  return QStringLiteral("files/label_suffix");
}

/// Returns the suffix of the last export; first the format that keeps names and colours.
QString last_label_suffix(const Workbench& workbench) {
  if (is_flat(workbench)) return image_suffix(workbench);
  return QSettings().value(label_suffix_key(), QStringLiteral(".seg.nrrd")).toString();
}

/// Returns the filters of label maps, that of last_label_suffix() first.
QString label_filter(const Workbench& workbench) {
  if (is_flat(workbench)) {
    return image_filter(workbench) +
           FileCommands::tr(";;Regions for QuPath (*.geojson);;OME-TIFF pyramid (*.ome.tif)");
  }
  QStringList filters = image_filter(workbench).split(QStringLiteral(";;"));
  filters.prepend(FileCommands::tr("3D Slicer segmentation (*.seg.nrrd)"));
  const QString wanted = QStringLiteral("(*") + last_label_suffix(workbench);
  for (qsizetype i = 1; i < filters.size(); ++i) {
    if (filters[i].contains(wanted)) filters.move(i, 0);
  }
  return filters.join(QStringLiteral(";;"));
}

/// Repairs a name whose last suffix the dialog has replaced when another filter was chosen:
/// "a.seg.gz" was meant as "a.nii.gz".
QString with_whole_suffix(QString path, const QString& filter) {
  static const QRegularExpression gz(QStringLiteral("\\.seg\\.gz$"));
  static const QRegularExpression nrrd(QStringLiteral("\\.nii\\.nrrd$"));
  static const QRegularExpression other(QStringLiteral("\\.(nii|seg)(\\.(mha|png|tif))$"));
  path.replace(gz, QStringLiteral(".nii.gz"));
  path.replace(nrrd, filter.contains(QLatin1String(".seg.nrrd")) ? QStringLiteral(".seg.nrrd")
                                                                 : QStringLiteral(".nrrd"));
  return path.replace(other, QStringLiteral("\\2"));
}

void remember_label_suffix(const QString& path) {
  for (const char* suffix : {".seg.nrrd", ".nii.gz", ".nii", ".nrrd", ".mha"}) {
    if (!path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive)) continue;
    QSettings().setValue(label_suffix_key(), QLatin1String(suffix));
    return;
  }
}

/// Appends the suffix unless the name has it.
QString with_suffix(const QString& path, const QString& suffix) {
  return path.endsWith(suffix, Qt::CaseInsensitive) ? path : path + suffix;
}

bool is_list(const QString& path) {
  return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
}

QString session_filter() {
  return FileCommands::tr("Seedwave session (*.json)");
}

QString table_filter() {
  return FileCommands::tr("Label tables (*.txt *.label *.ctbl);;All files (*)");
}

}  // namespace

QString shipped_folder(const QString& name) {
  const QString beside =
      QCoreApplication::applicationDirPath() + QStringLiteral("/../share/seedwave/") + name;
  const QString in_source = QStringLiteral(SEEDWAVE_RESOURCES_IN_SOURCE "/") + name;
  for (const QString& path : {beside, in_source}) {
    if (QFileInfo::exists(path)) return QDir::cleanPath(path);
  }
  return {};
}

QString sample_folder() {
  return shipped_folder(QStringLiteral("sample"));
}

FileCommands::FileCommands(Actions& actions, Workbench& workbench, FileOpener& opener,
                           FileSaver& saver, Unsaved& unsaved, QWidget* window)
    : QObject(window),
      actions_(actions),
      workbench_(workbench),
      opener_(opener),
      saver_(saver),
      unsaved_(unsaved),
      window_(window) {
  connect_actions();
  connect_opener();
  connect_saver();
}

void FileCommands::connect_actions() {
  actions_.on("open", [this] { open(ask_files(tr("Open"))); });
  actions_.on("open_folder", [this] {
    const QString path = ask_folder(tr("Open folder"));
    if (!path.isEmpty()) open({path});
  });
  actions_.on("open_sample", [this] { open_sample(); });
  actions_.on("save_session", [this] { save(); });
  actions_.on("save_session_as", [this] { save_as(); });
  actions_.on("export_labels", [this] {
    ask_export(tr("Export labels"), QStringLiteral("labels") + label_suffix(),
               label_filter(workbench_), [this](FileSaver& saver, const QString& path) {
                 if (!is_flat(workbench_)) remember_label_suffix(path);
                 saver.export_labels(path);
               });
  });
  actions_.on("export_seeds", [this] {
    ask_export(tr("Export seeds"), QStringLiteral("seeds.json"), tr("Seeds (*.json)"),
               &FileSaver::export_seeds);
  });
  actions_.on("export_regions", [this] {
    ask_export(tr("Export regions"), QStringLiteral("regions.geojson"), tr("GeoJSON (*.geojson)"),
               &FileSaver::export_regions);
  });
  actions_.on("import_regions", [this] {
    const QString path = ask_file(tr("Import regions"));
    if (!path.isEmpty()) opener_.import_regions(path);
  });
  actions_.on("import_seeds", [this] {
    const QString path = ask_file(tr("Import seeds"));
    if (!path.isEmpty()) opener_.import_seeds(path);
  });
  actions_.on("import_reference", [this] {
    const QString path = ask_file(tr("Import reference"));
    if (!path.isEmpty()) opener_.import_reference(path);
  });
  actions_.on("read_label_table", [this] {
    const QString path =
        QFileDialog::getOpenFileName(window_, tr("Read label table"), folder(), table_filter());
    if (!path.isEmpty()) opener_.import_label_table(path);
  });
  actions_.on("write_label_table", [this] {
    ask_export(tr("Write label table"), QStringLiteral("labels.txt"),
               tr("ITK-SNAP label descriptions (*.txt *.label);;Slicer colour table (*.ctbl)"),
               &FileSaver::export_label_table);
  });
  recent_ = new QMenu(tr("Open recent"), window_);
  QMenu* file = actions_.menu(ActionGroup::File);
  file->insertMenu(actions_.at("open_sample"), recent_);
  connect(recent_, &QMenu::aboutToShow, this, &FileCommands::fill_recent);
}

void FileCommands::connect_opener() {
  connect(&opener_, &FileOpener::image_opened, this, [this](const QString& path) {
    is_saving_ = false;
    saver_.set_session({}, nullptr);
    remember(path);
    begin_beside(path);
  });
  // Strokes that were not saved are not, and the undo steps that said so are gone.
  connect(&opener_, &FileOpener::part_opened, &unsaved_, &Unsaved::set_lost);
  connect(&opener_, &FileOpener::session_opened, this,
          [this](const QString& path, const std::shared_ptr<OpenSession>& file, SessionUse use) {
            is_saving_ = false;
            saver_.set_session(use == SessionUse::Own ? path : QString(), file);
            if (use == SessionUse::Recovered) {
              unsaved_.set_lost();
              return;
            }
            set_all_kept();
            remember(path);
            begin_beside(path);
            if (use == SessionUse::ReadOnly) {
              emit said(tr("Opened %1 read-only: saving asks for another name")
                            .arg(QFileInfo(path).fileName()));
            }
          });
  connect(&opener_, &FileOpener::session_in_use, this, &FileCommands::ask_in_use);
  connect(&opener_, &FileOpener::choice_needed, this, &FileCommands::ask_series);
  connect(&opener_, &FileOpener::grids_differ, this, &FileCommands::ask_grid);
  connect(&opener_, &FileOpener::image_missing, this, &FileCommands::ask_image);
  connect(&opener_, &FileOpener::damage_found, this, &FileCommands::ask_damaged);
  connect(&opener_.task(), &NamedTask::failed, this, &FileCommands::show_failure);
  connect(&opener_, &FileOpener::reference_offered, this, &FileCommands::ask_reference);
  connect(&opener_, &FileOpener::told, this, [this](const QStringList& lines) {
    QString text = lines.join(QStringLiteral("; "));
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    emit said(text);
  });
  connect(&opener_, &FileOpener::warned, this,
          [this](const QStringList& warnings) { emit said(warnings.join(QStringLiteral("; "))); });
}

void FileCommands::connect_saver() {
  connect(&saver_, &FileSaver::session_path_changed, this,
          [this] { opener_.set_held_lock(saver_.session_lock()); });
  connect(&saver_, &FileSaver::session_changed, this, [this](const QString& session) {
    is_saving_ = false;
    ask_changed(session);
  });
  connect(&saver_, &FileSaver::failed, this, &FileCommands::show_failure);
  connect(&saver_, &FileSaver::session_not_saved, this, [this] {
    is_saving_ = false;
    give_up();  // unsaved work is not discarded
  });
  connect(&saver_, &FileSaver::session_saved, this,
          [this](const QString& path, const SavedState& state) {
            is_saving_ = false;
            unsaved_.set_saved(state);
            remember(path);
            const QString saved = tr("Saved %1").arg(QDir::toNativeSeparators(path));
            const int others = opener_.other_edited_parts();
            emit said(others == 0
                          ? saved
                          : tr("%1, without the edits by hand of %n other part(s) of the slide",
                               nullptr, others)
                                .arg(saved));
            without_saving_ = nullptr;
            if (const auto go_on = std::exchange(after_saving_, nullptr)) go_on();
          });
  connect(&saver_, &FileSaver::exported, this, [this](const QString& path) {
    emit said(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
  });
}

QString FileCommands::folder() const {
  if (!study_folder_.isEmpty()) return study_folder_;
  return QSettings().value(QStringLiteral("files/folder"), QDir::homePath()).toString();
}

void FileCommands::begin_beside(const QString& study) {
  // Beside a folder, not in it: a file among slices would be read as one. The folder of the sample
  // is not used for work.
  const bool is_of_list = is_session_of_walk(to_path(study));
  const QString path = is_of_list ? QFileInfo(study).absolutePath() : QDir::cleanPath(study);
  const QFileInfo beside(QFileInfo(path).absolutePath());
  const bool is_sample = !sample_folder().isEmpty() && study.startsWith(sample_folder());
  study_folder_ = beside.isWritable() && !is_sample ? beside.filePath() : QString();
}

void FileCommands::remember_folder(const QString& path) {
  study_folder_.clear();
  const QFileInfo chosen(path);
  QSettings().setValue(QStringLiteral("files/folder"),
                       chosen.isDir() ? path : chosen.absolutePath());
}

QString FileCommands::ask_file(const QString& title) {
  QString path = QFileDialog::getOpenFileName(window_, title, folder());
  if (!path.isEmpty()) remember_folder(path);
  return path;
}

QString FileCommands::suggested(const QString& name) const {
  const QString image = QString::fromStdString(workbench_.document().image.path.string());
  const QFileInfo file(image);
  QString name_of_file = file.fileName();
  if (name_of_file.endsWith(QStringLiteral(".gz"))) name_of_file.chop(3);
  // Not the base name: scanners often name files by numbers with dots.
  const QString study =
      file.isDir() ? QDir(image).dirName() : QFileInfo(name_of_file).completeBaseName();
  return folder() + QLatin1Char('/') +
         (study.isEmpty() ? name : QStringLiteral("%1-%2").arg(study, name));
}

void FileCommands::open(const QStringList& paths) {
  if (paths.size() == 1 && workbench_.has_image() && io::is_region_file(to_path(paths.front()))) {
    choose_use_of_regions(paths.front());
    return;
  }
  if (paths.isEmpty()) return;
  if (is_list(paths.front())) {
    emit list_wanted(paths);
    return;
  }
  when_safe([this, paths] { opener_.open(paths); });
}

void FileCommands::open_sample() {
  const QString sample = sample_folder();
  if (sample.isEmpty()) {
    show_failure(tr("Opening the sample study"),
                 tr("The sample study was not found beside the program. Reinstall Seedwave."));
    return;
  }
  open({sample + QStringLiteral("/study"), sample + QStringLiteral("/seeds.json")});
}

QStringList FileCommands::ask_files(const QString& title, const QString& filter) {
  QStringList paths = QFileDialog::getOpenFileNames(window_, title, folder(), filter);
  if (!paths.isEmpty()) remember_folder(paths.front());
  return paths;
}

QString FileCommands::ask_folder(const QString& title) {
  QString path = QFileDialog::getExistingDirectory(window_, title, folder());
  if (!path.isEmpty()) remember_folder(path);
  return path;
}

QString FileCommands::label_suffix() const {
  return last_label_suffix(workbench_);
}

bool FileCommands::save() {
  if (saver_.session_path().isEmpty()) return save_as();
  write_session(saver_.session_path());
  return true;
}

void FileCommands::write_session(const QString& path, ForeignFile foreign) {
  is_saving_ = true;
  saver_.save_session(path, foreign);
}

bool FileCommands::save_as() {
  if (!workbench_.has_image()) return false;
  const QString now = saver_.session_path();
  QString path = QFileDialog::getSaveFileName(
      window_, tr("Save session"), now.isEmpty() ? suggested(QStringLiteral("session.json")) : now,
      session_filter());
  if (path.isEmpty()) return false;
  remember_folder(path);
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".json");
  write_session(path);
  return true;
}

void FileCommands::ask_input(const QString& input) {
  const QString path = ask_file(tr("Import %1").arg(input));
  if (!path.isEmpty()) opener_.import_input(input, path);
}

void FileCommands::export_map(const ScalarMap* map) {
  if (map == nullptr) return;
  // 2-D image formats cannot hold fractions or negative values.
  const bool grey = map->volume.type() == VoxelType::U8 || map->volume.type() == VoxelType::U16;
  const QString suffix = grey ? image_suffix(workbench_) : QStringLiteral(".nii.gz");
  ask_export(tr("Export map"), QString::fromStdString(map->name) + suffix, image_filter(workbench_),
             [map = *map](FileSaver& saver, const QString& path) { saver.export_map(path, map); });
}

void FileCommands::export_plot(const QString& csv, const QImage& picture) {
  ask_numbers_or_picture(tr("Save plot"), QStringLiteral("plot.csv"), csv, picture);
}

void FileCommands::export_sweep(const QString& csv, const QImage& picture) {
  ask_numbers_or_picture(tr("Save sweep"), QStringLiteral("sweep.csv"), csv, picture);
}

void FileCommands::export_objects(const std::function<std::string()>& csv) {
  ask_export(tr("Save table of objects"), QStringLiteral("objects.csv"), tr("Table (*.csv)"),
             [csv](FileSaver& saver, const QString& path) {
               saver.export_content(tr("Saving the table"),
                                    with_suffix(path, QStringLiteral(".csv")), csv);
             });
}

void FileCommands::export_recipe(const std::string& text) {
  ask_export(tr("Save recipe"), QStringLiteral("recipe.json"), tr("Recipe (*.json)"),
             [text](FileSaver& saver, const QString& path) {
               saver.export_content(tr("Saving the recipe"),
                                    with_suffix(path, QStringLiteral(".json")),
                                    [text] { return text; });
             });
}

void FileCommands::export_surfaces(const QString& suffix, const io::SurfaceChoice& choice) {
  const QString filter = suffix == QStringLiteral(".ply") ? tr("PLY (*.ply)") : tr("STL (*.stl)");
  ask_export(tr("Export surfaces"), QStringLiteral("surfaces") + suffix, filter,
             [this, suffix, choice](FileSaver& saver, const QString& path) {
               emit said(tr("Writing surfaces…"));
               saver.export_surfaces(with_suffix(path, suffix), choice);
             });
}

void FileCommands::export_picture(const QImage& picture) {
  if (picture.isNull()) {
    show_failure(tr("Saving the picture"),
                 tr("The picture is too large for the graphics card. Choose a lower resolution."));
    return;
  }
  ask_export(tr("Save picture"), QStringLiteral("picture.png"), tr("PNG (*.png)"),
             [picture](FileSaver& saver, const QString& path) {
               saver.export_picture(with_suffix(path, QStringLiteral(".png")), picture);
             });
}

void FileCommands::ask_numbers_or_picture(const QString& title, const QString& name,
                                          const QString& csv, const QImage& picture) {
  ask_export(title, name, tr("Numbers (*.csv);;Image (*.png)"),
             [csv, picture](FileSaver& saver, const QString& path) {
               if (!path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
                 const bool bare = QFileInfo(path).suffix().isEmpty();
                 saver.export_content(tr("Saving the plot"),
                                      bare ? path + QStringLiteral(".csv") : path,
                                      [csv] { return csv.toStdString(); });
                 return;
               }
               saver.export_picture(path, picture);
             });
}

void FileCommands::ask_export(const QString& title, const QString& name, const QString& filter,
                              const std::function<void(FileSaver&, const QString&)>& write) {
  QString chosen;
  const QString path = with_whole_suffix(
      QFileDialog::getSaveFileName(window_, title, suggested(name), filter, &chosen), chosen);
  if (path.isEmpty()) return;
  remember_folder(path);
  write(saver_, path);
}

QString FileCommands::what_is_unsaved() const {
  if (saver_.session_path().isEmpty()) return tr("This work has not been saved yet.");
  if (unsaved_.steps()) return tr("Strokes, labels or values have changed since the last save.");
  return tr("There are new results since the last save.");
}

void FileCommands::save_then(std::function<void()> go_on, std::function<void()> give_up) {
  after_saving_ = std::move(go_on);
  without_saving_ = std::move(give_up);
  if (!is_saving_ && !save()) this->give_up();
}

void FileCommands::give_up() {
  after_saving_ = nullptr;
  if (const auto give_up = std::exchange(without_saving_, nullptr)) give_up();
}

void FileCommands::when_safe(std::function<void()> go_on) {
  if (const auto keeper = keeper_) {  // a copy: it may set another one
    keeper(std::move(go_on));
    return;
  }
  if (!unsaved_.any()) {
    go_on();
    return;
  }
  QMessageBox question(QMessageBox::Question, tr("Unsaved changes"), what_is_unsaved(),
                       QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, window_);
  question.setObjectName(QStringLiteral("unsaved"));
  question.setInformativeText(tr("Save the session before continuing?"));
  question.setDefaultButton(QMessageBox::Save);
  switch (question.exec()) {
    case QMessageBox::Discard:
      go_on();
      return;
    case QMessageBox::Save:
      save_then(std::move(go_on), nullptr);
      return;
    default:
      return;
  }
}

void FileCommands::set_all_kept() {
  unsaved_.set_all_saved();
  saver_.set_kept();
}

void FileCommands::offer_recovery(const Autosave& autosave) {
  const std::vector<Recoverable> left = autosave.recoverable();
  if (left.empty()) return;
  RecoveryDialog dialog(left, window_);
  const int answer = dialog.exec();
  const Recoverable& chosen = left[dialog.chosen()];
  if (answer == RecoveryDialog::Recover) {
    // Recovered work is offered again until this program has saved it. Recovery may fail, be
    // cancelled or ask a question first. Only the end of this recovery counts, not of another
    // session.
    connect(&opener_, &FileOpener::session_opened, this,
            [this, &autosave, chosen](const QString& path, const std::shared_ptr<OpenSession>&,
                                      SessionUse use) {
              if (use != SessionUse::Recovered || path.toStdString() != chosen.file) return;
              saver_.autosave([&autosave, chosen] { autosave.forget(chosen); });
            });
    opener_.open_session(chosen.file, {}, SessionUse::Recovered);
  }
  if (answer == RecoveryDialog::Discard) autosave.forget(chosen);
}

void FileCommands::open_dropped(const QStringList& paths) {
  if (paths.size() == 1 && (is_list(paths.front()) || io::is_region_file(to_path(paths.front())))) {
    open(paths);
    return;
  }
  if (paths.size() == 1 && workbench_.has_image() && is_label_table(paths.front())) {
    opener_.import_label_table(paths.front());
    return;
  }
  const bool one_file = paths.size() == 1 && QFileInfo(paths.front()).isFile();
  if (one_file && workbench_.has_image() &&
      !paths.front().endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
    choose_use(paths.front());
  } else {
    open(paths);
  }
}

void FileCommands::choose_use(const QString& path) {
  QMessageBox question(QMessageBox::Question, tr("Open"),
                       tr("What is %1?").arg(QFileInfo(path).fileName()), QMessageBox::Cancel,
                       window_);
  QPushButton* image = question.addButton(tr("A new image"), QMessageBox::AcceptRole);
  QPushButton* reference =
      question.addButton(tr("A reference for this image"), QMessageBox::AcceptRole);
  QPushButton* seeds = question.addButton(tr("Seeds for this image"), QMessageBox::AcceptRole);
  question.exec();
  if (question.clickedButton() == image) open({path});
  if (question.clickedButton() == reference) opener_.import_reference(path);
  if (question.clickedButton() == seeds) opener_.import_seeds(path);
}

void FileCommands::choose_use_of_regions(const QString& path) {
  QMessageBox question(QMessageBox::Question, tr("Regions"),
                       tr("What is %1?").arg(QFileInfo(path).fileName()), QMessageBox::Cancel,
                       window_);
  QPushButton* regions = question.addButton(tr("Regions of this image"), QMessageBox::AcceptRole);
  QPushButton* reference =
      question.addButton(tr("A reference for this image"), QMessageBox::AcceptRole);
  question.exec();
  if (question.clickedButton() == regions) opener_.import_regions(path);
  if (question.clickedButton() == reference) opener_.import_reference(path);
}

void FileCommands::ask_reference(const QString& path) {
  QMessageBox question(
      QMessageBox::Question, tr("Labels for this study"),
      tr("%1 contains labels on the grid of the study.").arg(QFileInfo(path).fileName()),
      QMessageBox::NoButton, window_);
  question.setObjectName(QStringLiteral("labels_offered"));
  question.setInformativeText(tr("How should they be used?"));
  QPushButton* reference = question.addButton(tr("As a reference"), QMessageBox::AcceptRole);
  reference->setObjectName(QStringLiteral("as_reference"));
  reference->setToolTip(tr("Results are scored against them"));
  QPushButton* seeds = question.addButton(tr("As seeds"), QMessageBox::AcceptRole);
  seeds->setToolTip(tr("The next run starts from them"));
  question.setEscapeButton(question.addButton(tr("Ignore them"), QMessageBox::RejectRole));
  question.setDefaultButton(reference);
  question.exec();
  if (question.clickedButton() == reference) opener_.import_reference(path);
  if (question.clickedButton() == seeds) opener_.import_seeds(path);
}

void FileCommands::ask_series(const OpenedTogether& opened) {
  SeriesDialog dialog(opened.study, opened.scan, window_);
  if (dialog.exec() == QDialog::Accepted) opener_.open_chosen(opened, dialog.chosen());
}

void FileCommands::ask_grid(const QString& path, const QString& message, bool same_size) {
  QMessageBox question(
      QMessageBox::Question, tr("Labels on another grid"),
      tr("The labels of %1 are not on the grid of the image.").arg(QFileInfo(path).fileName()),
      QMessageBox::Cancel, window_);
  question.setObjectName(QStringLiteral("grids_differ"));
  question.setInformativeText(message);
  QPushButton* resample = question.addButton(tr("Resample"), QMessageBox::AcceptRole);
  resample->setObjectName(QStringLiteral("resample"));
  resample->setToolTip(tr("Each voxel of the image gets the label at its position in space"));
  QPushButton* use = nullptr;
  if (same_size) {
    use = question.addButton(tr("Use image geometry"), QMessageBox::AcceptRole);
    use->setObjectName(QStringLiteral("use_place"));
    use->setToolTip(tr("Keep the voxels; replace the file's position, which is wrong"));
  }
  question.exec();
  if (question.clickedButton() == resample) {
    opener_.import_reference(path, LabelFit::ResampleNearest);
  } else if (use != nullptr && question.clickedButton() == use) {
    opener_.import_reference(path, LabelFit::UseImageGeometry);
  }
}

void FileCommands::ask_in_use(const QString& session, const QString& image, const QString& holder) {
  QMessageBox question(
      QMessageBox::Question, tr("Session in use"),
      tr("%1 is open in another window (%2).").arg(QFileInfo(session).fileName(), holder),
      QMessageBox::Cancel, window_);
  question.setObjectName(QStringLiteral("session_in_use"));
  question.setInformativeText(
      tr("You can open it read-only and save your changes under another name."));
  QPushButton* read_only = question.addButton(tr("Open read-only"), QMessageBox::AcceptRole);
  read_only->setObjectName(QStringLiteral("read_only"));
  question.exec();
  if (question.clickedButton() == read_only) {
    opener_.open_session(session.toStdString(), image, SessionUse::ReadOnly);
  }
}

void FileCommands::ask_changed(const QString& session) {
  QMessageBox question(QMessageBox::Warning, tr("Session changed"),
                       tr("%1 was changed by another program since it was opened or saved here.")
                           .arg(QFileInfo(session).fileName()),
                       QMessageBox::Cancel, window_);
  question.setObjectName(QStringLiteral("session_changed"));
  question.setInformativeText(tr("Nothing was saved. Overwriting keeps the other version as %1.1.")
                                  .arg(QFileInfo(session).fileName()));
  QPushButton* other = question.addButton(tr("Save as…"), QMessageBox::AcceptRole);
  other->setObjectName(QStringLiteral("save_as"));
  QPushButton* overwrite = question.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
  overwrite->setObjectName(QStringLiteral("overwrite"));
  question.setDefaultButton(other);
  question.exec();
  if (question.clickedButton() == overwrite) {
    write_session(session, ForeignFile::Overwritten);
  } else if (question.clickedButton() != other || !save_as()) {
    give_up();  // whatever waits for the save must not continue
  }
}

void FileCommands::ask_image(const QString& session, const QString& image, SessionUse use) {
  QMessageBox question(QMessageBox::Question, tr("Image not found"),
                       tr("The session's image is no longer at %1.").arg(image),
                       QMessageBox::Cancel, window_);
  question.setObjectName(QStringLiteral("image_missing"));
  question.setInformativeText(tr("Where is it now?"));
  QPushButton* file = question.addButton(tr("Find file…"), QMessageBox::AcceptRole);
  QPushButton* directory = question.addButton(tr("Find folder…"), QMessageBox::AcceptRole);
  question.exec();
  QString found;
  if (question.clickedButton() == file) {
    found = ask_file(tr("The session's image"));
  } else if (question.clickedButton() == directory) {
    found = QFileDialog::getExistingDirectory(window_, tr("The session's image"), folder());
  }
  if (found.isEmpty()) return;
  remember_folder(found);
  opener_.open_session(session.toStdString(), found, use);
}

void FileCommands::ask_damaged(const QString& message) {
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Damaged image"), message + u'.',
                              QMessageBox::Cancel, window_);
  box->setObjectName(QStringLiteral("damaged"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(
      tr("Parts of the readable data may be wrong or empty. Results there are wrong, too."));
  QPushButton* open = box->addButton(tr("Open anyway"), QMessageBox::AcceptRole);
  open->setObjectName(QStringLiteral("open_anyway"));
  box->setDefaultButton(QMessageBox::Cancel);
  connect(open, &QPushButton::clicked, &opener_, &FileOpener::open_damaged);
  box->open();
}

void FileCommands::show_failure(const QString& what, const QString& message) {
  emit said({});  // an earlier "Saved ..." would be misleading beside it
  auto* box = new QMessageBox(QMessageBox::Warning, what, message, QMessageBox::Ok, window_);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setObjectName(QStringLiteral("failure"));
  // To be copied into a request for help.
  box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  box->open();
}

void FileCommands::remember(const QString& path) {
  if (is_session_of_walk(to_path(path))) return;  // opened by its list
  QSettings settings;
  QStringList recent = settings.value(QStringLiteral("files/recent")).toStringList();
  const QString absolute = QFileInfo(path).absoluteFilePath();
  recent.removeAll(absolute);
  recent.prepend(absolute);
  settings.setValue(QStringLiteral("files/recent"), recent.mid(0, kMostRecent));
}

void FileCommands::fill_recent() {
  recent_->clear();
  for (const QString& path : QSettings().value(QStringLiteral("files/recent")).toStringList()) {
    const bool there = QFileInfo::exists(path);
    QAction* action = recent_->addAction(there ? path : tr("%1 (missing)").arg(path));
    action->setEnabled(there);
    connect(action, &QAction::triggered, this, [this, path] { open({path}); });
  }
  if (recent_->isEmpty()) recent_->addAction(tr("No recent files"))->setEnabled(false);
}

}  // namespace seedwave::ui
