// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace seedwave::ui {

/// One line of plain text that keeps a place and gives way where there is none: what does not fit
/// is cut in the middle, so that the beginning and the end of a path stay.
class ElidedLabel : public QLabel {
 public:
  /// `widest`: a text whose width is asked for even while another is shown; may be empty.
  explicit ElidedLabel(const QString& widest, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString widest_;
};

}  // namespace seedwave::ui
