// SPDX-License-Identifier: Apache-2.0
#include "ui/models/whole_slide_run.h"

#include "core/base/command_line.h"
#include "core/base/error.h"
#include "ui/models/command_inputs.h"
#include "ui/models/path_text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace seedwave::ui {
namespace {

constexpr int kKillWaitMs = 5000;
constexpr int kAgainMs = 100;
constexpr int kLookMs = 300;
const char* const kLabels = "labels.png";

}  // namespace

WholeSlideRun::WholeSlideRun(const QString& program, QObject* parent)
    : QObject(parent),
      program_(program.isEmpty()
                   ? QCoreApplication::applicationDirPath() + QStringLiteral("/seedwave-cli")
                   : program) {
  connect(&process_, &QProcess::readyReadStandardError, this, &WholeSlideRun::read_lines);
  connect(&process_, &QProcess::finished, this, &WholeSlideRun::finish);
  // A program that the shell is just starting does not get a signal: it is sent until all have.
  again_.setInterval(kAgainMs);
  connect(&again_, &QTimer::timeout, this, &WholeSlideRun::stop);
  looking_.setInterval(kLookMs);
  connect(&looking_, &QTimer::timeout, this, &WholeSlideRun::look_for_labels);
  process_.setReadChannel(QProcess::StandardError);
  process_.setStandardOutputFile(QProcess::nullDevice());
  process_.setChildProcessModifier([] {
    // A group of its own, which is paused as one; it ends with the window.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  });
}

WholeSlideRun::~WholeSlideRun() {
  process_.disconnect(this);
  if (!busy()) return;
  for (int waited = 0; busy() && waited < kKillWaitMs; waited += kAgainMs) {
    stop();
    process_.waitForFinished(kAgainMs);
  }
  if (busy()) send(SIGKILL);
}

void WholeSlideRun::start(const Order& order) {
  if (busy()) return;
  paused_ = cancelled_ = false;
  last_line_.clear();
  if (!QFileInfo(program_).isExecutable()) {
    emit ended(tr("The program %1 is missing").arg(program_));
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
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QFileInfo(program_).absolutePath() +
                                                   QLatin1Char(':') +
                                                   environment.value(QStringLiteral("PATH")));
    process_.setProcessEnvironment(environment);
    process_.start(QStringLiteral("/bin/sh"),
                   {QStringLiteral("-c"), QString::fromStdString(last.text())});
    // Its group exists from then on: a signal sent before would be lost.
    process_.waitForStarted();
    seen_ = {};
    looking_.start();
  } catch (const Error& error) {
    folder_.reset();
    emit ended(QString::fromUtf8(error.what()));
  }
}

void WholeSlideRun::send(int signal) {
  if (const qint64 id = process_.processId(); id > 0) ::kill(static_cast<pid_t>(-id), signal);
}

void WholeSlideRun::set_paused(bool paused) {
  if (!busy() || paused == paused_) return;
  send(paused ? SIGSTOP : SIGCONT);
  paused_ = paused;
  emit paused_changed(paused);
}

void WholeSlideRun::cancel() {
  if (!busy()) return;
  cancelled_ = true;
  stop();
  again_.start();
}

void WholeSlideRun::stop() {
  send(SIGINT);
  send(SIGCONT);
}

void WholeSlideRun::read_lines() {
  while (process_.canReadLine()) {
    const QString line = QString::fromUtf8(process_.readLine()).trimmed();
    const QStringList words = line.split(QLatin1Char(' '));
    if (words.size() >= 2 && words.front() == QStringLiteral("progress")) {
      emit progressed(words.mid(2).join(QLatin1Char(' ')), words[1].toInt() / 100.0);
    } else if (!line.isEmpty()) {
      last_line_ = line;
    }
  }
}

void WholeSlideRun::look_for_labels() {
  const QFileInfo file(folder_->filePath(QString::fromLatin1(kLabels)));
  if (!file.exists() || file.lastModified() == seen_) return;
  seen_ = file.lastModified();
  if (const QImage labels(file.filePath()); !labels.isNull()) emit labels_known(labels);
}

void WholeSlideRun::finish(int code, QProcess::ExitStatus status) {
  again_.stop();
  looking_.stop();
  look_for_labels();
  read_lines();
  folder_.reset();
  paused_ = false;
  if (code == 0 && status == QProcess::NormalExit) {
    emit ended({});
  } else if (cancelled_) {
    emit ended(tr("Cancelled"));
  } else {
    const QString prefix = QStringLiteral("seedwave-cli: ");
    QString message = last_line_.isEmpty() ? tr("The run ended early") : last_line_;
    if (message.startsWith(prefix)) message = message.mid(prefix.size());
    emit ended(message);
  }
}

}  // namespace seedwave::ui
