// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/theme.h"

#include <QApplication>
#include <QSettings>
#include <QStyle>

namespace seedwave::ui {

namespace {

QString theme_key() {
  return QStringLiteral("window/theme");
}

QPalette light_palette() {
  QPalette palette(QColor(0xef, 0xef, 0xef));
  palette.setColor(QPalette::Highlight, QColor(0x2f, 0x7f, 0xb8));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  return palette;
}

}  // namespace

QPalette dark_palette() {
  QPalette palette(QColor(0x2f, 0x31, 0x34), QColor(0x2a, 0x2c, 0x2e));
  const QColor text(0xe6, 0xe6, 0xe6);
  const QColor faint(0x8c, 0x8c, 0x8c);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Base, QColor(0x1d, 0x1e, 0x20));
  palette.setColor(QPalette::AlternateBase, QColor(0x26, 0x28, 0x2a));
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::PlaceholderText, faint);
  palette.setColor(QPalette::Button, QColor(0x3a, 0x3c, 0x3f));
  palette.setColor(QPalette::ButtonText, text);
  palette.setColor(QPalette::BrightText, Qt::white);
  palette.setColor(QPalette::ToolTipBase, QColor(0x3a, 0x3c, 0x3f));
  palette.setColor(QPalette::ToolTipText, text);
  palette.setColor(QPalette::Highlight, QColor(0x2f, 0x7f, 0xb8));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, QColor(0x6c, 0xb8, 0xe6));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, faint);
  }
  palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(0x50, 0x50, 0x50));
  return palette;
}

QString title_of(Theme theme) {
  switch (theme) {
    case Theme::Platform:
      return QApplication::translate("Theme", "Same as system");
    case Theme::Light:
      return QApplication::translate("Theme", "Light");
    case Theme::Dark:
      break;
  }
  return QApplication::translate("Theme", "Dark");
}

Theme saved_theme() {
  const QString name = QSettings().value(theme_key()).toString();
  if (name == QLatin1String("light")) return Theme::Light;
  if (name == QLatin1String("dark")) return Theme::Dark;
  return Theme::Platform;
}

void save_theme(Theme theme) {
  QSettings().setValue(theme_key(), theme == Theme::Light  ? QStringLiteral("light")
                                    : theme == Theme::Dark ? QStringLiteral("dark")
                                                           : QStringLiteral("platform"));
}

void apply_theme(Theme theme) {
  switch (theme) {
    case Theme::Platform:
      QApplication::setPalette(QPalette());
      return;
    case Theme::Light:
      QApplication::setPalette(light_palette());
      return;
    case Theme::Dark:
      QApplication::setPalette(dark_palette());
      return;
  }
}

}  // namespace seedwave::ui
