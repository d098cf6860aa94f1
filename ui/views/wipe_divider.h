// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/wipe.h"

#include <QString>
#include <QWidget>

namespace seedwave::ui {

/// The handle of a wipe: a line over the whole height of its parent with a knob. The mouse moves it
/// and, with the focus, the arrow keys.
class WipeDivider : public QWidget {
  Q_OBJECT

 public:
  /// Wide enough for a finger.
  static constexpr int kWidth = 24;

  explicit WipeDivider(QWidget* parent);
  /// Sets the description for screen readers.
  void describe(double share, const QString& left, const QString& right);

 signals:
  /// Emitted to move by a share of the parent's width.
  void stepped(double by);
  /// Emitted to move to `x` in the parent.
  void dragged(int x);
  /// Emitted to move to the middle.
  void centred();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  /// The grab point, relative to the middle of the handle.
  int hold_ = 0;
};

/// The names of both sides, left and right of the divider. Ignores the pointer.
class WipeTags : public QWidget {
 public:
  explicit WipeTags(QWidget* parent);
  void set_sides(const WipeSide& left, const WipeSide& right);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  WipeSide left_;
  WipeSide right_;
};

}  // namespace seedwave::ui
