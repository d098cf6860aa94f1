// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace seedwave::ui {

/// The platform's style with clearly visible checked states.
///
/// Check boxes have an outline with a contrast of at least 3:1 to the window in every palette.
/// Checked buttons are filled towards the highlight colour; the platform's own differ only by a
/// shade.
class ControlStyle : public QProxyStyle {
  Q_OBJECT

 public:
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

}  // namespace seedwave::ui
