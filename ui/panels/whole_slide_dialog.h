// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/whole_slide_run.h"
#include "ui/panels/map_so_far.h"

#include <QDialog>
#include <QString>
#include <QStringList>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace seedwave::ui {

/// The choices for a run on a whole slide, and its progress. The window stays usable.
class WholeSlideDialog : public QDialog {
  Q_OBJECT

 public:
  struct Offer {
    /// Describes the run: "Run 4: Tissue by texture".
    QString what;
    /// The levels by size and scale, the finest first.
    QStringList levels;
    /// Suggested file, and the filter for the file dialog.
    QString output;
    QString filter;
    /// The whole slide, small, over which labels appear as they are known; null if the run gives
    /// none.
    QImage slide{};
    MapSoFar::ColorOf color_of{};
  };
  /// `run` must outlive this.
  WholeSlideDialog(const Offer& offer, WholeSlideRun& run, QWidget* parent = nullptr);

 signals:
  /// The user wants the run at this level.
  void wanted(int level, const QString& output);
  /// The user wants to see the result, which is in this file.
  void show_wanted(const QString& output);

 private:
  void build(const Offer& offer);
  void show_state();
  void start();
  void ask_output(const QString& filter);

  WholeSlideRun& run_;
  MapSoFar* map_ = nullptr;  // null if the run gives no labels
  QComboBox* levels_ = nullptr;
  QLineEdit* output_ = nullptr;
  QPushButton* choose_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QLabel* state_ = nullptr;
  QPushButton* start_ = nullptr;
  QPushButton* pause_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QPushButton* show_ = nullptr;
};

}  // namespace seedwave::ui
