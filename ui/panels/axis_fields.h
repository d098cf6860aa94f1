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

/// Common parts of rows with one number per axis: title and reset button above, the fields side by
/// side below. Lays them out in `row`, which owns them.
class AxisFields {
 public:
  AxisFields(const Parameter& parameter, QWidget* row);

  /// Adds the field of axis 0, 1 or 2, a QSpinBox or QDoubleSpinBox, prefixed with the name of the
  /// axis.
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
