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

/// What of a result is shown, and how a scalar map looks: colours, range, threshold. Takes no room
/// where there are only labels.
class MapBar : public QToolBar {
  Q_OBJECT

 public:
  explicit MapBar(QWidget* parent = nullptr);

  /// `outputs`: what can be shown, ids with titles in the same order; `shown`: the id.
  void show_outputs(const QStringList& ids, const QStringList& titles, const QString& shown);
  /// The map that is shown and its look; null: labels are.
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
  /// A share of 1: its threshold has the word of the literature, and is never "all".
  bool share_ = false;
};

}  // namespace seedwave::ui
