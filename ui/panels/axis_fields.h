// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QGridLayout>
#include <QString>

class QAbstractSpinBox;
class QLabel;
class QToolButton;
class QWidget;

namespace seedwave::ui {

/// What rows of values with a number per axis have in common: title and reset button above, the
/// fields side by side below. Lays them out in `row`, which owns them.
class AxisFields {
 public:
  AxisFields(const Parameter& parameter, QWidget* row);

  /// The field of axis 0, 1 or 2, a QSpinBox or QDoubleSpinBox, that begins with the axis's name.
  template <typename Field>
  [[nodiscard]] Field* add(int axis) {
    auto* field = new Field(row_);
    field->setPrefix(name(axis) + QLatin1Char(' '));
    put(field, axis);
    return field;
  }
  [[nodiscard]] static QString name(int axis);  // "x", "y", "z"
  [[nodiscard]] QGridLayout* layout() const { return layout_; }
  [[nodiscard]] QToolButton* reset() const { return reset_; }

 private:
  void put(QAbstractSpinBox* field, int axis);

  QWidget* row_;
  QString id_;
  QString title_;
  QString help_;
  QGridLayout* layout_;
  QLabel* label_;
  QToolButton* reset_;
};

}  // namespace seedwave::ui
