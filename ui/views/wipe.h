// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/slice_view.h"

#include <QColor>
#include <QObject>
#include <QString>

namespace seedwave::ui {

class WipeDivider;
class WipeTags;

/// What is seen on one side of a divider.
struct WipeSide {
  QString name;
  QColor color;
};

/// A second view over the right part of a slice view, up to a divider that the user moves.
///
/// Both views draw themselves as ever: moving the divider shows more of the one and less of the
/// other, and nothing is computed or cut anew. Hidden until shown, and then it costs nothing.
class Wipe : public QObject {
  Q_OBJECT

 public:
  /// Becomes `under`'s child and keeps over it.
  explicit Wipe(SliceView& under);

  /// The view to the right of the divider: the same plane; the owner feeds it as all others.
  [[nodiscard]] SliceView& over() const { return *over_; }
  void set_shown(bool shown);
  [[nodiscard]] bool is_shown() const noexcept { return shown_; }
  /// Where the divider stands, as a share of the width.
  void set_share(double share);
  [[nodiscard]] double share() const noexcept { return share_; }
  /// What is seen left and right of the divider.
  void set_sides(const WipeSide& left, const WipeSide& right);
  /// What is moved: for tests and the focus.
  [[nodiscard]] QWidget& divider() const;

 signals:
  /// The user moved the divider.
  void share_changed(double share);

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void place();

  SliceView& under_;
  /// Cuts `over_` off at the divider.
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
