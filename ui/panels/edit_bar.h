// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/edit_gesture.h"
#include "core/image/length_scale.h"

#include <QToolBar>

class QAction;
class QDoubleSpinBox;
class QLabel;

namespace seedwave::ui {

/// The window's actions that the bar shows.
struct EditBarActions {
  QAction* range = nullptr;
  QAction* invert = nullptr;
  QAction* grow = nullptr;
  QAction* shrink = nullptr;
  QAction* lock = nullptr;
};

/// Tool bar for edits by hand: the range of intensities, the margin, and the lock of the current
/// label. Shown once a tool that edits has been chosen.
class EditBar : public QToolBar {
  Q_OBJECT

 public:
  EditBar(const EditBarActions& actions, QWidget* parent = nullptr);

  /// Sets the limits of the range and its step for an image, without a signal.
  void set_limits(double lowest, double highest);
  void show_range(const EditRange& range);
  /// The bounds of the range as they are set; not inverted.
  [[nodiscard]] EditRange range() const;
  /// Sets the unit in which the distance is shown; set_margin() follows.
  void show_unit(const LengthScale& lengths);
  /// The distance for growing and shrinking, in the unit of the grid.
  [[nodiscard]] double margin() const;
  void set_margin(double distance);

 signals:
  /// The user changed a bound.
  void bounds_chosen();

 private:
  QDoubleSpinBox* low_ = nullptr;
  QDoubleSpinBox* high_ = nullptr;
  QDoubleSpinBox* margin_ = nullptr;
  double per_unit_ = 1.0;
};

}  // namespace seedwave::ui
