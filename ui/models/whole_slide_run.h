// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/repeat_command.h"
#include "core/image/geometry.h"
#include "core/io/labels.h"

#include <QDateTime>
#include <QImage>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <vector>

namespace seedwave::ui {

/// A run on a whole slide at one of its levels, in a program of its own (`seedwave-cli`), so that
/// it may take more memory than there is (its arrays lie in files), be paused for hours, and
/// outlive no window. Only a result that is complete appears.
class WholeSlideRun : public QObject {
  Q_OBJECT

 public:
  /// `program`: the command line; empty for the one beside this program.
  explicit WholeSlideRun(const QString& program = {}, QObject* parent = nullptr);
  /// Stops the run.
  ~WholeSlideRun() override;

  struct Order {
    const OperationTable& table;
    /// Repeated with the steps that it reads, without edits by hand.
    Step step;
    /// With the level to run on.
    Source image;
    Geometry grid;
    std::vector<io::LabelName> names;
    /// The file to write; replaced if it exists.
    QString output;
  };
  /// Starts a run; one at a time. Emits `ended` with a message if that is not possible.
  void start(const Order& order);
  [[nodiscard]] bool busy() const { return process_.state() != QProcess::NotRunning; }
  [[nodiscard]] bool paused() const noexcept { return paused_; }
  /// A paused run takes no processor time.
  void set_paused(bool paused);
  void cancel();

 signals:
  /// fraction: of this stage, 0..1.
  void progressed(const QString& stage, double fraction);
  /// More of the labels is known: their numbers on all of the slide, small, as grey levels of 8 or
  /// 16 bits. 0 is background and what is not known yet.
  void labels_known(const QImage& labels);
  void paused_changed(bool paused);
  /// The run has ended; the message is empty if the result is there, and "cancelled" after
  /// cancel().
  void ended(const QString& message);

 private:
  void read_lines();
  void look_for_labels();
  void finish(int code, QProcess::ExitStatus status);
  void stop();
  /// Sends a signal to the program and all that it started.
  void send(int signal);

  QString program_;
  QProcess process_;
  QTimer again_;
  QTimer looking_;
  QDateTime seen_;  // the time of the labels that were seen last
  std::unique_ptr<QTemporaryDir> folder_;
  QString last_line_;
  bool paused_ = false;
  bool cancelled_ = false;
};

}  // namespace seedwave::ui
