// SPDX-License-Identifier: Apache-2.0
#include "ui/models/file_saver.h"

#include "core/base/error.h"
#include "core/io/label_table.h"
#include "core/session/repeat_command.h"
#include "ui/models/path_text.h"
#include "ui/models/session_picture.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <filesystem>
#include <new>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr int kAutosaveIntervalMs = 60'000;

}  // namespace

FileSaver::FileSaver(const Workbench& workbench, const RunController& runs,
                     std::shared_ptr<Autosave> autosave, QObject* parent)
    : QObject(parent), workbench_(workbench), runs_(runs), autosave_(std::move(autosave)) {
  pool_.setMaxThreadCount(1);
  timer_.setInterval(kAutosaveIntervalMs);
  connect(&timer_, &QTimer::timeout, this, [this] { this->autosave(); });
  if (autosave_ != nullptr) timer_.start();
}

FileSaver::~FileSaver() {
  pool_.waitForDone();
}

void FileSaver::set_session_path(const QString& path) {
  if (path == session_path_) return;
  session_path_ = path;
  emit session_path_changed(path);
}

SessionFile FileSaver::session() const {
  return {.document = workbench_.document(), .runs = runs_.history().runs(), .warnings = {}};
}

void FileSaver::start(const QString& what, std::function<void()> write,
                      std::function<void()> done) {
  ++writing_;
  pool_.start([this, what, write = std::move(write), done = std::move(done)] {
    QString message;
    try {
      write();
    } catch (const Error& error) {
      message = QString::fromStdString(error.what());
    } catch (const std::bad_alloc&) {
      message = tr("There is not enough memory to write the file.");
    } catch (const std::exception& error) {  // the door: nothing may reach Qt's thread
      message = QString::fromLocal8Bit(error.what());
    }
    mailbox_.post([this, what, message, done] {
      --writing_;
      if (message.isEmpty()) {
        done();
      } else {
        emit failed(what, message);
      }
    });
  });
}

void FileSaver::save_session(const QString& path) {
  start(
      tr("Saving %1").arg(QFileInfo(path).fileName()),
      [path = to_path(path), session = session(), autosave = autosave_] {
        seedwave::save_session(path, session);
        if (autosave != nullptr) autosave->kept_elsewhere(session);
      },
      [this, path, state = state_of(workbench_, runs_)] {
        set_session_path(path);
        emit session_saved(path, state);
      });
}

void FileSaver::export_labels(const QString& path) {
  start(
      tr("Exporting labels"),
      [path = to_path(path), labels = runs_.shown().labels, names = label_names()] {
        if (labels.empty()) throw InputError("there is no result to export: run first");
        io::save_named_labels(path, labels, names);
      },
      [this, path] { emit exported(path); });
}

void FileSaver::export_map(const QString& path, const ScalarMap& map) {
  start(
      tr("Exporting the map"),
      [path = to_path(path), map] {
        if (map.empty()) throw InputError("there is no map to export: run first");
        io::save_volume(path, map.volume);
      },
      [this, path] { emit exported(path); });
}

void FileSaver::export_plot(const QString& path, const QByteArray& content) {
  start(
      tr("Saving the plot"),
      [path = to_path(path), content = content.toStdString()] {
        io::write_atomically(path, content);
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
  const QString what = tr("Copying the command of run %1").arg(run);
  const QString folder = command_folder();
  RepeatCommand command;
  try {
    command = command_repeating(runs_.table(), runs_.history(), run,
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
  start(
      what,
      [command, folder, names = label_names(), unit = workbench_.image().geometry().unit] {
        if (!QDir().mkpath(folder)) {
          throw OutputError("cannot make the folder " + folder.toStdString());
        }
        for (const auto& [file, seeds] : command.seeds)
          io::save_seeds(file, {.seeds = seeds, .labels = names, .unit = unit});
      },
      [this, run, text = QString::fromStdString(command.text), files] {
        emit command_ready(run, text, files);
      });
}

std::vector<io::LabelName> FileSaver::label_names() const {
  std::vector<io::LabelName> names;
  for (const LabelEntry& entry : workbench_.document().labels) {
    names.push_back(
        {.id = entry.id, .name = entry.name, .color = entry.color, .opacity = entry.opacity});
  }
  return names;
}

void FileSaver::export_label_table(const QString& path) {
  start(
      tr("Writing the label table"),
      [path = to_path(path), names = label_names()] { io::save_label_table(path, names); },
      [this, path] { emit exported(path); });
}

void FileSaver::export_seeds(const QString& path) {
  io::SeedFile file{.seeds = workbench_.document().seeds,
                    .labels = label_names(),
                    .unit = workbench_.image().geometry().unit};
  start(
      tr("Exporting seeds"),
      [path = to_path(path), file = std::move(file)] { io::save_seeds(path, file); },
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
          pool_.start([file = autosave_->file(), picture = take_picture_()] {
            // The session may have gone to the user's own file meanwhile.
            if (std::filesystem::exists(file)) keep_picture(file, picture);
          });
        }
        done();
      });
}

void FileSaver::discard_autosave() {
  timer_.stop();
  pool_.waitForDone();
  if (autosave_ != nullptr) autosave_->discard();
  autosave_.reset();  // a picture that comes in later is not kept
}

}  // namespace seedwave::ui
