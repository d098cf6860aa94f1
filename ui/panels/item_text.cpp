// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/item_text.h"

#include "core/image/length_scale.h"

namespace seedwave::ui {

QString size_text(const Geometry& geometry) {
  QString text = QStringLiteral("%1 × %2").arg(geometry.size[0]).arg(geometry.size[1]);
  if (geometry.size[2] > 1) text += QStringLiteral(" × %1").arg(geometry.size[2]);
  if (geometry.unit == LengthUnit::Millimetre) {
    const LengthScale lengths = length_scale(geometry);
    const auto step = [&](std::size_t axis) { return geometry.spacing[axis] * lengths.per_unit; };
    text += QStringLiteral("\n%1 × %2").arg(step(0), 0, 'f', 2).arg(step(1), 0, 'f', 2);
    // The third spacing of a single slice has no meaning.
    if (!geometry.is_2d()) text += QStringLiteral(" × %1").arg(step(2), 0, 'f', 2);
    text += QLatin1Char(' ') + QString::fromStdString(lengths.symbol);
  }
  return text;
}

QString kind_text(const io::Item& item) {
  const QString modality = QString::fromStdString(item.hints.modality);
  return modality.isEmpty() ? QString::fromStdString(item.format).toUpper() : modality;
}

QString description_text(const io::Item& item) {
  const QString text = QString::fromStdString(item.hints.description);
  if (!text.isEmpty() || item.files.empty()) return text;
  return QString::fromStdString(item.files.front().filename().string());
}

}  // namespace seedwave::ui
