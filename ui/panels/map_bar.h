// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/scalar_map.h"
#include "ui/views/slice_state.h"

#include <QStringList>
#include <QToolBar>

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace seedwave::ui {

/// The displayed output of a result, and the look of a scalar map: colours, range, threshold.
/// Hidden if there are only labels.
class MapBar : public QToolBar {
  Q_OBJECT

 public:
  explicit MapBar(QWidget* parent = nullptr);

  /// `outputs`: ids and titles of the outputs, in the same order. `shown`: the id of the displayed
  /// one.
  void show_outputs(const QStringList& ids, const QStringList& titles, const QString& shown);
  /// Sets the displayed map and its look; null if labels are displayed.
  void show_map(const ScalarMap* map, const MapStyle& style, bool automatic_range);

 signals:
  void output_chosen(const QString& id);
  void style_chosen(const seedwave::ui::MapStyle& style);
  void automatic_range_chosen();

 private:
  void add_range();
  void add_threshold();
  void choose_range();
  void show_kind(const ScalarMap& map);
  [[nodiscard]] double threshold_at(int position) const;
  [[nodiscard]] int position_of(double threshold) const;
  [[nodiscard]] QString threshold_text() const;

  QComboBox* outputs_ = nullptr;
  QComboBox* colors_ = nullptr;
  QLabel* weight_name_ = nullptr;
  QDoubleSpinBox* low_ = nullptr;
  QLabel* to_ = nullptr;
  QDoubleSpinBox* high_ = nullptr;
  QToolButton* automatic_ = nullptr;
  QLabel* threshold_name_ = nullptr;
  QSlider* threshold_ = nullptr;
  QLabel* threshold_value_ = nullptr;
  QAction* outputs_action_ = nullptr;
  QAction* map_action_ = nullptr;
  MapStyle style_;
  /// A fraction of 1: its threshold is θ as in the literature, and is never "all".
  bool share_ = false;
};

}  // namespace seedwave::ui
