// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/repeat_command.h"
#include "core/image/geometry.h"
#include "core/io/labels.h"
#include "ui/models/cli_process.h"

#include <QDateTime>
#include <QImage>
#include <QObject>
#include <QString>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <vector>

namespace seedwave::ui {

/// A run on a whole slide at one of its levels, by the command line, since its arrays may be larger
/// than memory and then lie in files. Only a result that is complete appears.
class WholeSlideRun : public QObject {
  Q_OBJECT

 public:
  /// `program`: the command line; empty for the one beside this program.
  explicit WholeSlideRun(const QString& program = {}, QObject* parent = nullptr);
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
  [[nodiscard]] bool busy() const { return process_.busy(); }
  [[nodiscard]] bool paused() const noexcept { return process_.paused(); }
  /// A paused run takes no processor time.
  void set_paused(bool paused) { process_.set_paused(paused); }
  void cancel() { process_.cancel(); }

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
  void look_for_labels();
  void finish(const QString& message);

  QTimer looking_;
  QDateTime seen_;  // the time of the labels that were seen last
  std::unique_ptr<QTemporaryDir> folder_;
  CliProcess process_;  // first to end: it writes into the folder
};

}  // namespace seedwave::ui
