// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QToolButton;

namespace seedwave::ui {

/// A list of the options of one parameter. Only options for the dimension of the image are offered.
class ChoiceRow : public QWidget {
  Q_OBJECT

 public:
  ChoiceRow(const Parameter& parameter, const Geometry& grid, QWidget* parent = nullptr);

  void show_value(const std::optional<Value>& set);

 signals:
  void changed(const seedwave::Value& value);
  void reset();

 private:
  Parameter parameter_;
  bool image_is_2d_;
  QComboBox* list_ = nullptr;
  QToolButton* reset_ = nullptr;
};

}  // namespace seedwave::ui
