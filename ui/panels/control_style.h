// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace seedwave::ui {

/// The platform's style, with what is on told apart from what is off.
///
/// Boxes have a rim of at least 3:1 against the window in every palette, and buttons that are
/// switched on are filled towards the highlight: the platform's own differ by a shade only.
class ControlStyle : public QProxyStyle {
  Q_OBJECT

 public:
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
};

}  // namespace seedwave::ui
