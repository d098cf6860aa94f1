// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/slice_view.h"

#include <QColor>
#include <QObject>
#include <QString>
#include <QWidget>

namespace seedwave::ui {

/// The name and colour of one side of a divider.
struct WipeSide {
  QString name;
  QColor color;
};

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

/// A second view over the right part of a slice view, up to a divider that the user moves.
///
/// Moving the divider only shows more of one view and less of the other; nothing is computed or cut
/// again. Costs nothing while hidden.
class Wipe : public QObject {
  Q_OBJECT

 public:
  /// Becomes a child of `under` and stays on top of it.
  explicit Wipe(SliceView& under);

  /// Returns the view to the right of the divider. It shows the same plane; the owner sets its data
  /// as for all views.
  [[nodiscard]] SliceView& over() const { return *over_; }
  void set_shown(bool shown);
  [[nodiscard]] bool is_shown() const noexcept { return shown_; }
  /// Sets the position of the divider, as a share of the width.
  void set_share(double share);
  [[nodiscard]] double share() const noexcept { return share_; }
  /// Sets the names of the sides left and right of the divider.
  void set_sides(const WipeSide& left, const WipeSide& right);
  /// Returns the widget that is moved, for tests and the focus.
  [[nodiscard]] QWidget& divider() const;

 signals:
  /// Emitted when the user moves the divider.
  void share_changed(double share);

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void place();

  SliceView& under_;
  /// Clips `over_` at the divider.
  QWidget* window_ = nullptr;
  SliceView* over_ = nullptr;
  WipeTags* tags_ = nullptr;
  WipeDivider* divider_ = nullptr;
  WipeSide left_;
  WipeSide right_;
  double share_ = 0.5;
  bool shown_ = false;
};

}  // namespace seedwave::ui
