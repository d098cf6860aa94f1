// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QWidget>

#include <array>
#include <optional>

class QDoubleSpinBox;
class QToolButton;

namespace seedwave::ui {

/// A direction in space: one field for each of its three components.
class DirectionRow : public QWidget {
  Q_OBJECT

 public:
  explicit DirectionRow(const Parameter& parameter, QWidget* parent = nullptr);

  void show_value(const std::optional<Value>& set);

 signals:
  void changed(const seedwave::Value& value);
  void reset();

 private:
  void on_typed();

  Parameter parameter_;
  std::array<QDoubleSpinBox*, 3> fields_{};
  QToolButton* reset_ = nullptr;
};

}  // namespace seedwave::ui
