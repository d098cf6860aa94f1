// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/item_text.h"

#include "core/image/length_scale.h"

#include <QLocale>
#include <QStringList>

namespace seedwave::ui {

QString size_text(const Geometry& geometry) {
  QString text = QStringLiteral("%1 × %2").arg(geometry.size[0]).arg(geometry.size[1]);
  if (geometry.size[2] > 1) text += QStringLiteral(" × %1").arg(geometry.size[2]);
  if (geometry.unit != LengthUnit::Pixel) text += QLatin1Char('\n') + spacing_text(geometry);
  return text;
}

QString spacing_text(const Geometry& geometry) {
  const QLocale locale;
  const LengthScale lengths = length_scale(geometry);
  QStringList steps;
  // The third spacing of a single slice has no meaning.
  for (std::size_t axis = 0; axis < (geometry.is_2d() ? 2 : 3); ++axis)
    steps << locale.toString(geometry.spacing[axis] * lengths.per_unit, 'f', 2);
  return QStringLiteral("%1 %2").arg(steps.join(QStringLiteral(" × ")),
                                     QString::fromStdString(lengths.symbol));
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
