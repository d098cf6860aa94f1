// SPDX-License-Identifier: Apache-2.0
#include "ui/models/file_saver.h"

#include "core/base/error.h"
#include "core/io/label_table.h"
#include "core/io/region_file.h"
#include "core/io/save.h"
#include "core/recipes/chain_command.h"
#include "ui/models/command_inputs.h"
#include "ui/models/path_text.h"
#include "ui/models/session_picture.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr int kAutosaveIntervalMs = 60'000;
/// The writer pauses this many times as long as the last write took, at most kLongestRestMs. A
/// large session thus uses at most a tenth of a processor.
constexpr qint64 kRestFactor = 9;
constexpr qint64 kLongestRestMs = 5'000;

}  // namespace

FileSaver::FileSaver(const Workbench& workbench, const RunController& runs,
                     std::shared_ptr<Autosave> autosave, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs), autosave_(std::move(autosave)) {
  pool_.setMaxThreadCount(1);
  timer_.setInterval(kAutosaveIntervalMs);
  connect(&timer_, &QTimer::timeout, this, [this] { this->autosave(); });
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &FileSaver::keep_work);
  if (autosave_ == nullptr) return;
  timer_.start();
  connect(&workbench_.steps().undo_stack(), &QUndoStack::indexChanged, this,
          &FileSaver::keep_work_soon);
  connect(&runs_.history(), &KeptRuns::changed, this, &FileSaver::keep_work_soon);
}

FileSaver::~FileSaver() {
  pool_.waitForDone();
}

void FileSaver::set_session(const QString& path, std::shared_ptr<OpenSession> session) {
  const bool moved = path != session_path_ || session != session_file_;
  session_path_ = path;
  session_file_ = std::move(session);
  if (moved) emit session_path_changed(path);
}

std::shared_ptr<SessionLock> FileSaver::session_lock() const {
  return session_file_ == nullptr ? nullptr : session_file_->lock();
}

SessionFile FileSaver::session() const {
  return {.document = workbench_.document(), .runs = runs_.history().runs(), .warnings = {}};
}

void FileSaver::enqueue(std::function<void()> work) {
  {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back(std::move(work));
  }
  pool_.start([this] {
    std::function<void()> next;
    {
      const std::lock_guard lock(queue_mutex_);
      next = std::move(queue_.front());
      queue_.pop_front();
    }
    next();
  });
}

void FileSaver::start(const QString& what, std::function<void()> write, std::function<void()> done,
                      std::function<void()> undone) {
  ++writing_;
  enqueue([this, what, write = std::move(write), done = std::move(done),
           undone = std::move(undone)] {
    QString message;
    try {
      write();
    } catch (const Error& error) {
      message = QString::fromStdString(error.what());
    } catch (const std::bad_alloc&) {
      message = tr("There is not enough memory to write the file.");
    } catch (const std::exception& error) {  // the outermost handler: nothing may reach Qt's thread
      message = QString::fromLocal8Bit(error.what());
    }
    mailbox_.post([this, what, message, done, undone] {
      --writing_;
      if (std::exchange(work_waits_, false)) keep_work_soon();
      if (message.isEmpty()) {
        done();
      } else {
        emit failed(what, message);
        undone();
      }
    });
  });
}

void FileSaver::save_session(const QString& path, ForeignFile foreign) {
  struct Outcome {
    std::shared_ptr<OpenSession> file;
    bool changed = false;
  };
  auto outcome = std::make_shared<Outcome>();
  start(
      tr("Saving %1").arg(QFileInfo(path).fileName()),
      [outcome, foreign, path = to_path(path), open = session_file_, session = session(),
       autosave = autosave_] {
        const bool is_open = open != nullptr && open->path() == real_session_path(path);
        try {
          outcome->file =
              is_open ? open : OpenSession::create(path, open == nullptr ? nullptr : open->lock());
          outcome->file->save(session, foreign);
        } catch (const SessionChanged&) {
          outcome->changed = true;
          return;
        }
        if (autosave != nullptr) autosave->kept_elsewhere(session);
      },
      [this, path, outcome, before = session_path_, state = state_of(workbench_, runs_)] {
        // Another session may have been opened since.
        if (session_path_ != before && session_path_ != path) return;
        if (outcome->changed) {
          emit session_changed(path);
          return;
        }
        set_session(path, outcome->file);
        emit session_saved(path, state);
      },
      [this, path, before = session_path_] {
        if (session_path_ == before || session_path_ == path) emit session_not_saved();
      });
}

void FileSaver::write(const QString& title, std::function<void()> work, std::function<void()> done,
                      std::function<void()> undone) {
  start(title, std::move(work), std::move(done), std::move(undone));
}

void FileSaver::set_kept() {
  if (autosave_ == nullptr) return;
  start(
      tr("Automatic saving"),
      [autosave = autosave_, session = session()] { autosave->kept_elsewhere(session); }, [] {});
}

void FileSaver::export_labels(const QString& path) {
  start(
      tr("Exporting labels"), [path = to_path(path), write = labels_writer()] { write(path); },
      [this, path] { emit exported(path); });
}

std::function<void(const std::filesystem::path&)> FileSaver::labels_writer() const {
  return [labels = runs_.displayed().result().labels, names = result_names(),
          level0 = workbench_.opened().loaded.level0()](const std::filesystem::path& path) {
    if (labels.empty()) throw InputError("there is no result to export: run the operation first");
    io::save_named_labels(path, labels, names, level0);
  };
}

void FileSaver::export_surfaces(const QString& path, const io::SurfaceChoice& choice) {
  auto files = std::make_shared<QStringList>();
  start(
      tr("Exporting surfaces"),
      [path = to_path(path), choice, files, labels = runs_.displayed().result().labels,
       names = result_names()] {
        if (labels.empty())
          throw InputError("there is no result to export: run the operation first");
        Context context;
        io::OutputSet outputs;
        for (const auto& file : save_surfaces(outputs, path, labels, names, choice, context))
          *files << QString::fromStdString(file.string());
        outputs.commit();
      },
      [this, files] {
        emit exported(files->size() == 1 ? files->front()
                                         : tr("%1 and %n more file(s)", nullptr,
                                              static_cast<int>(files->size()) - 1)
                                               .arg(files->front()));
      });
}

void FileSaver::export_picture(const QString& path, const QImage& picture) {
  start(
      tr("Saving the picture"),
      [path = to_path(path), picture] {
        QByteArray content;
        QBuffer buffer(&content);
        buffer.open(QIODevice::WriteOnly);
        if (!picture.save(&buffer, "PNG"))
          throw OutputError("cannot write " + path.string() + ": the picture is too large");
        io::write_atomically(path, content.toStdString());
      },
      [this, path] { emit exported(path); });
}

void FileSaver::export_map(const QString& path, const ScalarMap& map) {
  start(
      tr("Exporting the map"),
      [path = to_path(path), map] {
        if (map.empty()) throw InputError("there is no map to export: run the operation first");
        io::save_volume(path, map.volume);
      },
      [this, path] { emit exported(path); });
}

void FileSaver::export_content(const QString& title, const QString& path,
                               std::function<std::string()> content) {
  start(
      title,
      [path = to_path(path), content = std::move(content)] {
        io::write_atomically(path, content());
      },
      [this, path] { emit exported(path); });
}

QString FileSaver::command_folder() const {
  if (session_path_.isEmpty()) {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation))
        .filePath(QStringLiteral("commands"));
  }
  const QFileInfo session(session_path_);
  return session.absoluteDir().filePath(session.completeBaseName() + QStringLiteral("-commands"));
}

void FileSaver::prepare_command(std::uint64_t run) {
  const Run* of = runs_.history().find(run);
  if (of == nullptr) return;
  const QString what = tr("Copying the command of run %1").arg(run);
  const QString folder = command_folder();
  RepeatCommand command;
  try {
    command = shortest_command(runs_.next().table(), *of,
                               {.image = workbench_.document().image,
                                .grid = workbench_.image().geometry(),
                                .folder = to_path(folder)});
  } catch (const Error& error) {
    emit failed(what, QString::fromStdString(error.what()));
    return;
  }
  QStringList files;
  for (const auto& [file, seeds] : command.seeds)
    files << QString::fromStdString(file.string());
  for (const auto& [file, edits] : command.edits)
    files << QString::fromStdString(file.string());
  for (const auto& [file, recipe] : command.recipes)
    files << QString::fromStdString(file.string());
  start(
      what,
      [command, folder, names = workbench_.label_names(), grid = workbench_.image().geometry()] {
        write_command_inputs(command, to_path(folder), names, grid);
      },
      [this, run, text = QString::fromStdString(command.text), files] {
        emit command_ready(run, text, files);
      });
}

std::vector<io::LabelName> FileSaver::result_names() const {
  return runs_.displayed().has_objects() ? std::vector<io::LabelName>() : workbench_.label_names();
}

void FileSaver::export_label_table(const QString& path) {
  start(
      tr("Writing the label table"),
      [path = to_path(path), names = workbench_.label_names()] {
        io::save_label_table(path, names);
      },
      [this, path] { emit exported(path); });
}

void FileSaver::export_seeds(const QString& path) {
  io::SeedFile file{.seeds = workbench_.document().seeds,
                    .labels = workbench_.label_names(),
                    .unit = workbench_.image().geometry().unit};
  start(
      tr("Exporting seeds"),
      [path = to_path(path), file = std::move(file)] { io::save_seeds(path, file); },
      [this, path] { emit exported(path); });
}

void FileSaver::export_regions(const QString& path) {
  const io::LoadedImage& loaded = workbench_.opened().loaded;
  start(
      tr("Exporting regions"),
      [path = to_path(path), regions = workbench_.document().regions,
       names = workbench_.label_names(),
       grid = loaded.slide ? loaded.level0() : loaded.volume.geometry()] {
        Context context;
        io::OutputSet outputs;
        io::save_regions(outputs, path, regions, names, grid, context);
        outputs.commit();
      },
      [this, path] { emit exported(path); });
}

void FileSaver::autosave(std::function<void()> done) {
  if (autosave_ == nullptr || !workbench_.has_image()) return;
  auto wrote = std::make_shared<bool>(false);
  start(
      tr("Automatic saving"),
      [autosave = autosave_, session = session(), wrote] { *wrote = autosave->save(session); },
      [this, wrote, done = std::move(done)] {
        if (*wrote && autosave_ != nullptr) {
          enqueue([file = autosave_->file(), picture = take_picture_()] {
            // The session may have been saved to the user's own file meanwhile.
            if (std::filesystem::exists(file)) keep_picture(file, picture);
          });
        }
        done();
      });
}

void FileSaver::keep_work_soon() {
  if (autosave_ == nullptr || soon_.isActive()) return;
  const qint64 rest = std::min(kLongestRestMs, kRestFactor * keeping_ms_);
  const qint64 rested = since_kept_.isValid() ? since_kept_.elapsed() : rest;
  soon_.start(static_cast<int>(std::max<qint64>(0, rest - rested)));
}

void FileSaver::keep_work() {
  if (autosave_ == nullptr || !workbench_.has_image()) return;
  if (busy()) {  // keep_work_soon() is called again when it ends
    work_waits_ = true;
    return;
  }
  QElapsedTimer took;
  took.start();
  start(
      tr("Automatic saving"),
      [autosave = autosave_, session = session()] {
        try {
          (void)autosave->save(session, NewLabels::LeftOut);
        } catch (const Error&) {
          // Only the save of every minute reports an error, once a minute and not for every stroke.
        }
      },
      [this, took] {
        keeping_ms_ = took.elapsed();
        since_kept_.start();
      });
}

bool FileSaver::emergency_save() noexcept {
  try {
    pool_.waitForDone();
    if (autosave_ == nullptr || !workbench_.has_image()) return false;
    (void)autosave_->save(session(), NewLabels::LeftOut);
    return true;
  } catch (const std::exception&) {
    return false;  // the previous autosave remains
  }
}

void FileSaver::discard_autosave() {
  timer_.stop();
  soon_.stop();
  pool_.waitForDone();
  if (autosave_ != nullptr) autosave_->discard();
  autosave_.reset();  // a thumbnail that arrives later is not kept
}

}  // namespace seedwave::ui
