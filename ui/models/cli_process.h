// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

namespace seedwave::ui {

/// Calls of `seedwave-cli` in programs of their own, so that they may take more memory than there
/// is, be paused for hours, crash without the window, and end with the window.
class CliProcess : public QObject {
  Q_OBJECT

 public:
  /// `program`: the command line; empty for the one beside this program.
  explicit CliProcess(const QString& program = {}, QObject* parent = nullptr);
  /// Stops the calls.
  ~CliProcess() override;

  /// Returns why nothing can be started, or "".
  [[nodiscard]] QString complaint() const;
  /// Starts a line for a shell, in which seedwave-cli is the program; one at a time.
  void start(const QString& line);
  [[nodiscard]] bool busy() const { return process_.state() != QProcess::NotRunning; }
  [[nodiscard]] bool paused() const noexcept { return paused_; }
  /// Returns whether the last calls ended because of cancel().
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  /// Paused calls take no processor time.
  void set_paused(bool paused);
  void cancel();

 signals:
  /// A line "progress 42 WHAT" of --progress; fraction: 0..1.
  void progressed(const QString& what, double fraction);
  /// A line on standard output.
  void printed(const QByteArray& line);
  void paused_changed(bool paused);
  /// The calls have ended; the message is empty after success, and "Cancelled" after cancel().
  void ended(const QString& message);

 private:
  void read_lines();
  void finish(int code, QProcess::ExitStatus status);
  [[nodiscard]] QString message_of(int code, QProcess::ExitStatus status) const;
  void stop();
  /// Sends a signal to the program and all that it started.
  void send(int signal);

  QString program_;
  QProcess process_;
  QTimer again_;
  QString last_line_;
  bool paused_ = false;
  bool cancelled_ = false;
};

}  // namespace seedwave::ui
