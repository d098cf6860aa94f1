// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace seedwave::ui {

/// One line of plain text that reserves its space and shrinks if there is too little. Text that
/// does not fit is elided in the middle, so that both ends of a path are visible.
class ElidedLabel : public QLabel {
 public:
  /// `widest`: a text that defines the preferred width; may be empty.
  explicit ElidedLabel(const QString& widest, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString widest_;
};

}  // namespace seedwave::ui
