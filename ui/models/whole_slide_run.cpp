// SPDX-License-Identifier: Apache-2.0
#include "ui/models/whole_slide_run.h"

#include "core/base/command_line.h"
#include "core/base/error.h"
#include "ui/models/command_inputs.h"
#include "ui/models/path_text.h"

#include <QFileInfo>

namespace seedwave::ui {
namespace {

constexpr int kLookMs = 300;
const char* const kLabels = "labels.png";

}  // namespace

WholeSlideRun::WholeSlideRun(const QString& program, QObject* parent)
    : QObject(parent), process_(program) {
  connect(&process_, &CliProcess::progressed, this, &WholeSlideRun::progressed);
  connect(&process_, &CliProcess::paused_changed, this, &WholeSlideRun::paused_changed);
  connect(&process_, &CliProcess::ended, this, &WholeSlideRun::finish);
  looking_.setInterval(kLookMs);
  connect(&looking_, &QTimer::timeout, this, &WholeSlideRun::look_for_labels);
}

void WholeSlideRun::start(const Order& order) {
  if (busy()) return;
  if (const QString missing = process_.complaint(); !missing.isEmpty()) {
    emit ended(missing);
    return;
  }
  // On the disk of the output: what lies between steps has the size of the result.
  folder_ = std::make_unique<QTemporaryDir>(QFileInfo(order.output).absolutePath() +
                                            QStringLiteral("/.seedwave-XXXXXX"));
  try {
    if (!folder_->isValid()) {
      throw OutputError("cannot write into " +
                        QFileInfo(order.output).absolutePath().toStdString());
    }
    CommandLine more("");
    more.add("progress");
    more.add("scratch", folder_->path().toStdString());
    const RepeatCommand command = command_repeating(order.table, order.step,
                                                    {.image = order.image,
                                                     .grid = order.grid,
                                                     .folder = to_path(folder_->path()),
                                                     .more = more.text(),
                                                     .with_edits = false});
    write_command_inputs(command, to_path(folder_->path()), order.names, order.grid);
    CommandLine last(command.text);
    last.add("out", order.output.toStdString());
    last.add("overwrite");
    if (order.table.at(order.step.recipe.operation).gives(OutputKind::Labels))
      last.add("preview", folder_->filePath(QString::fromLatin1(kLabels)).toStdString());
    process_.start(QString::fromStdString(last.text()));
    seen_ = {};
    looking_.start();
  } catch (const Error& error) {
    folder_.reset();
    emit ended(QString::fromUtf8(error.what()));
  }
}

void WholeSlideRun::look_for_labels() {
  if (folder_ == nullptr) return;
  const QFileInfo file(folder_->filePath(QString::fromLatin1(kLabels)));
  if (!file.exists() || file.lastModified() == seen_) return;
  seen_ = file.lastModified();
  if (const QImage labels(file.filePath()); !labels.isNull()) emit labels_known(labels);
}

void WholeSlideRun::finish(const QString& message) {
  looking_.stop();
  look_for_labels();
  folder_.reset();
  emit ended(message);
}

}  // namespace seedwave::ui
