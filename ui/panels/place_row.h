// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <QWidget>

#include <array>
#include <optional>

class QAction;
class QSpinBox;
class QToolButton;

namespace seedwave::ui {

/// A pixel of a 2-D image: fields for column and row, and a button for the tool that picks it in
/// the view.
class PlaceRow : public QWidget {
  Q_OBJECT

 public:
  /// `pick`, `follow`: the window's actions, or null. `follow` is offered if the place has a curve.
  PlaceRow(const Parameter& parameter, const Geometry& grid, QAction* pick, QAction* follow,
           QWidget* parent = nullptr);

  void show_value(const std::optional<Value>& set);

 signals:
  void changed(const seedwave::Value& value);
  void reset();

 private:
  void on_typed(int axis);

  Parameter parameter_;
  std::array<QSpinBox*, 2> fields_{};
  QToolButton* reset_ = nullptr;
};

}  // namespace seedwave::ui
