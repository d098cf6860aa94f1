// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"
#include "ui/models/parameter_scale.h"
#include "ui/models/workbench.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QToolButton;

namespace seedwave::ui {

/// One number of an operation: slider, typed value, the word that may stand in its place, and a
/// button that takes back what was set. Double click on the slider does the same.
class NumberRow : public QWidget {
  Q_OBJECT

 public:
  /// `unit`: of the values, in words for the tip; empty: plain numbers.
  NumberRow(const Parameter& parameter, const ParameterScale& scale, const QString& unit,
            QWidget* parent = nullptr);

  /// `set`: what the user set, or nothing. `stands_for`: the number behind the word, once known.
  void show_value(const std::optional<Value>& set, const std::optional<Value>& stands_for);

 signals:
  void changed(const seedwave::Value& value, seedwave::ui::Gesture gesture);
  void reset();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void on_slider_moved(int position);
  void on_typed(double value);
  void on_word_toggled(bool checked);
  void show_number(double value);
  void show_word(const QString& word);

  Parameter parameter_;
  ParameterScale scale_;
  QString unit_;
  QToolButton* reset_ = nullptr;
  QCheckBox* word_ = nullptr;  // null where no word may stand
  QSlider* slider_ = nullptr;
  QDoubleSpinBox* spin_ = nullptr;
  QLabel* per_label_ = nullptr;
  bool dragging_ = false;
};

}  // namespace seedwave::ui
