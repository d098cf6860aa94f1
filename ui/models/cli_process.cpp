// SPDX-License-Identifier: Apache-2.0
#include "ui/models/cli_process.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcessEnvironment>
#include <QStringList>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace seedwave::ui {
namespace {

constexpr int kKillWaitMs = 5000;
constexpr int kAgainMs = 100;
/// A shell reports a program that a signal ended by this number and the signal's.
constexpr int kSignalled = 128;
/// The window's own runs take precedence.
constexpr int kNiceness = 10;

}  // namespace

CliProcess::CliProcess(const QString& program, QObject* parent)
    : QObject(parent),
      program_(program.isEmpty()
                   ? QCoreApplication::applicationDirPath() + QStringLiteral("/seedwave-cli")
                   : program) {
  connect(&process_, &QProcess::readyReadStandardError, this, &CliProcess::read_lines);
  connect(&process_, &QProcess::readyReadStandardOutput, this, &CliProcess::read_lines);
  connect(&process_, &QProcess::finished, this, &CliProcess::finish);
  // A program that the shell is just starting does not get a signal: it is sent until all have.
  again_.setInterval(kAgainMs);
  connect(&again_, &QTimer::timeout, this, &CliProcess::stop);
  process_.setChildProcessModifier([] {
    // A group of its own, which is paused as one; it ends with the window.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)::nice(kNiceness);
  });
}

CliProcess::~CliProcess() {
  process_.disconnect(this);
  if (!busy()) return;
  for (int waited = 0; busy() && waited < kKillWaitMs; waited += kAgainMs) {
    stop();
    process_.waitForFinished(kAgainMs);
  }
  if (busy()) send(SIGKILL);
}

QString CliProcess::complaint() const {
  return QFileInfo(program_).isExecutable() ? QString()
                                            : tr("The program %1 is missing").arg(program_);
}

void CliProcess::start(const QString& line) {
  if (busy()) return;
  paused_ = cancelled_ = false;
  last_line_.clear();
  if (const QString missing = complaint(); !missing.isEmpty()) {
    emit ended(missing);
    return;
  }
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("PATH"), QFileInfo(program_).absolutePath() + QLatin1Char(':') +
                                                 environment.value(QStringLiteral("PATH")));
  process_.setProcessEnvironment(environment);
  process_.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
  // Its group exists from then on: a signal sent before would be lost.
  process_.waitForStarted();
}

void CliProcess::send(int signal) {
  if (const qint64 id = process_.processId(); id > 0) ::kill(static_cast<pid_t>(-id), signal);
}

void CliProcess::set_paused(bool paused) {
  if (!busy() || paused == paused_) return;
  send(paused ? SIGSTOP : SIGCONT);
  paused_ = paused;
  emit paused_changed(paused);
}

void CliProcess::cancel() {
  if (!busy()) return;
  cancelled_ = true;
  stop();
  again_.start();
}

void CliProcess::stop() {
  send(SIGINT);
  send(SIGCONT);
}

void CliProcess::read_lines() {
  process_.setReadChannel(QProcess::StandardOutput);
  while (process_.canReadLine())
    emit printed(process_.readLine().trimmed());
  process_.setReadChannel(QProcess::StandardError);
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

QString CliProcess::message_of(int code, QProcess::ExitStatus status) const {
  if (cancelled_) return tr("Cancelled");
  const int signal = status == QProcess::CrashExit ? code : code - kSignalled;
  if (signal == SIGKILL) return tr("seedwave-cli was killed: there may be too little memory");
  if (signal > 0 && signal != SIGINT) return tr("seedwave-cli crashed (signal %1)").arg(signal);
  const QString prefix = QStringLiteral("seedwave-cli: ");
  if (last_line_.isEmpty()) return tr("The run ended early");
  return last_line_.startsWith(prefix) ? last_line_.mid(prefix.size()) : last_line_;
}

void CliProcess::finish(int code, QProcess::ExitStatus status) {
  again_.stop();
  read_lines();
  paused_ = false;
  const bool is_done = code == 0 && status == QProcess::NormalExit;
  emit ended(is_done ? QString() : message_of(code, status));
}

}  // namespace seedwave::ui
