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

/// A pixel of a picture: a field for its column and one for its row, and a button that takes the
/// tool which chooses one in the view.
class PlaceRow : public QWidget {
  Q_OBJECT

 public:
  /// `pick`, `follow`: the window's actions, or null; the second is offered where a curve comes of
  /// the place.
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
