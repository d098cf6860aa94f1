// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/icons.h"

#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

// The resource is in a static library: the linker keeps it only if something refers to it.
static void init_resources() {
  Q_INIT_RESOURCE(window);
}

namespace seedwave::ui {

namespace {

constexpr int kSizes[] = {16, 20, 24, 32, 48};

QPixmap render(const QByteArray& svg, const QColor& color, int size) {
  QByteArray coloured = svg;
  coloured.replace("currentColor", color.name().toLatin1());
  QSvgRenderer renderer(coloured);
  QPixmap pixmap(size, size);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  return pixmap;
}

}  // namespace

QIcon make_icon(const QString& name, const QPalette& palette) {
  init_resources();
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray svg = file.readAll();
  QIcon icon;
  for (const int size : kSizes) {
    icon.addPixmap(render(svg, palette.color(QPalette::Active, QPalette::ButtonText), size));
    icon.addPixmap(render(svg, palette.color(QPalette::Disabled, QPalette::ButtonText), size),
                   QIcon::Disabled);
  }
  return icon;
}

QIcon application_icon() {
  init_resources();
  return QIcon(QStringLiteral(":/icons/seedwave.svg"));
}

}  // namespace seedwave::ui
