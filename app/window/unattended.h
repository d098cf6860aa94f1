// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/display.h"
#include "ui/window/main_window.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace seedwave::app {

/// Opens paths in a window, waits until everything is on screen, saves a screenshot and quits with
/// 0. On any failure, such as a file that cannot be read, it quits with the exit code of the
/// command line and a line on standard error. Not for a window that somebody works in.
class Screenshot : public QObject {
  Q_OBJECT

 public:
  Screenshot(ui::MainWindow& window, const QString& file, QObject* parent = nullptr);

  void start(const QStringList& paths);

 private:
  void look();
  void take();
  void fail(const QString& message, int exit_code);
  [[nodiscard]] bool settled() const;

  ui::MainWindow& window_;
  QString file_;
  /// Checks whether all is finished: opener, runs, seeds and surfaces each end in their own time.
  QTimer look_;
  QTimer limit_;
  int quiet_looks_ = 0;
  bool ran_ = false;
};

/// Opens a study in a window on screen, acts as a user does, and prints how long each action took,
/// with processor and OpenGL renderer. Returns the exit code.
///
/// `since_start` runs since the program began.
int measure(ui::MainWindow& window, const QStringList& paths, const QElapsedTimer& since_start,
            const GlInfo& gl);

}  // namespace seedwave::app
