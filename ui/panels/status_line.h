// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run_history.h"
#include "core/image/geometry.h"
#include "ui/views/readout.h"

#include <QElapsedTimer>
#include <QStatusBar>
#include <QTimer>

class QLabel;
class QProgressBar;
class QPushButton;

namespace seedwave::ui {

/// The status bar. At the left, the values under the pointer; at the right, the backend and time of
/// the result. While a job runs, its stage and a Cancel button.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  explicit StatusLine(QWidget* parent = nullptr);

  void show_readout(const Readout& readout);
  void clear_readout();
  /// "Axial 12/124", and the spacing of the grid: "0.70 x 0.67 x 0.67 mm", or its size in pixels.
  void show_slice(const QString& slice, const Geometry& grid);
  /// "CPU, dijkstra: 412 ms"; the tooltip holds the reason, the shares of several workers and the
  /// time of each stage. Null: none.
  void show_run(const Run* run);

  /// Shows a message at the right for a while. The values under the pointer stay visible.
  void say(const QString& text);
  /// Removes a message that is out of date, if it is still shown.
  void unsay(const QString& text);

  /// A job that ends within 0.2 s is not shown.
  void start_job(const QString& what);
  void show_progress(const QString& stage, double fraction);
  void end_job();

 signals:
  void cancel_requested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLabel* position_ = nullptr;
  QLabel* index_ = nullptr;
  QLabel* value_ = nullptr;
  QLabel* label_ = nullptr;
  QLabel* map_ = nullptr;
  QLabel* slice_ = nullptr;
  QLabel* spacing_ = nullptr;
  QLabel* message_ = nullptr;
  QLabel* backend_ = nullptr;
  QLabel* stage_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QTimer appear_;
  QTimer said_;
};

}  // namespace seedwave::ui
