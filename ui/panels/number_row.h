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

/// One number of an operation: slider, typed value, the word that may replace it, and a button that
/// resets it. A double click on the slider also resets it.
class NumberRow : public QWidget {
  Q_OBJECT

 public:
  /// `unit`: unit of the values in words for the tooltip; empty for plain numbers.
  NumberRow(const Parameter& parameter, const ParameterScale& scale, const QString& unit,
            QWidget* parent = nullptr);

  /// `set`: the user's value, or nothing. `stands_for`: the number behind the word, once known.
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
  QCheckBox* word_ = nullptr;  // null if no word is allowed
  QSlider* slider_ = nullptr;
  QDoubleSpinBox* spin_ = nullptr;
  QLabel* per_label_ = nullptr;
  bool dragging_ = false;
};

}  // namespace seedwave::ui
