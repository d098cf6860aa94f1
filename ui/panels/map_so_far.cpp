// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/map_so_far.h"

#include <QHash>
#include <QPainter>

#include <utility>

namespace seedwave::ui {
namespace {

constexpr double kOpacity = 0.6;

}  // namespace

MapSoFar::MapSoFar(const QImage& slide, ColorOf color_of, QWidget* parent)
    : QWidget(parent), slide_(slide), color_of_(std::move(color_of)) {
  setObjectName(QStringLiteral("map_so_far"));
  setAccessibleName(tr("The result as far as it is known"));
  setFixedSize(slide.deviceIndependentSize().toSize());
}

void MapSoFar::show_labels(const QImage& labels) {
  labels_ = {};
  if (!labels.isNull()) {
    const QImage numbers = labels.convertToFormat(QImage::Format_Grayscale16);
    // Widening 8 bits repeats them.
    const int divisor = labels.depth() == 16 ? 1 : 257;
    labels_ = QImage(labels.size(), QImage::Format_ARGB32_Premultiplied);
    QHash<quint16, QRgb> colors{{0, 0}};
    for (int y = 0; y < labels.height(); ++y) {
      const auto* from = reinterpret_cast<const quint16*>(numbers.constScanLine(y));
      auto* to = reinterpret_cast<QRgb*>(labels_.scanLine(y));
      for (int x = 0; x < labels.width(); ++x) {
        auto color = colors.constFind(from[x]);
        if (color == colors.constEnd())
          color = colors.insert(from[x], color_of_(static_cast<Label>(from[x] / divisor)).rgb());
        to[x] = *color;
      }
    }
  }
  update();
}

void MapSoFar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.drawImage(rect(), slide_);
  if (labels_.isNull()) return;
  painter.setOpacity(kOpacity);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(rect(), labels_);
}

}  // namespace seedwave::ui
