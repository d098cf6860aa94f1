// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/wipe.h"

#include <QString>
#include <QWidget>

namespace seedwave::ui {

/// The handle of a wipe: a line over the whole height of its parent with a knob, moved by the mouse
/// or, with the focus, by the arrow keys.
class WipeDivider : public QWidget {
  Q_OBJECT

 public:
  /// Wide enough to be hit by a finger.
  static constexpr int kWidth = 24;

  explicit WipeDivider(QWidget* parent);
  /// What is told to those who do not see it.
  void describe(double share, const QString& left, const QString& right);

 signals:
  /// By so much of the parent's width.
  void stepped(double by);
  /// To this place of the parent.
  void dragged(int x);
  /// To the middle.
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
  /// Where the hand took hold of it, from its middle.
  int hold_ = 0;
};

/// The names of both sides, left and right of the divider's line; the pointer passes through.
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
