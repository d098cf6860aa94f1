// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/item_text.h"

namespace seedwave::ui {

QString size_text(const Geometry& geometry) {
  QString text = QStringLiteral("%1 × %2").arg(geometry.size[0]).arg(geometry.size[1]);
  if (geometry.size[2] > 1) text += QStringLiteral(" × %1").arg(geometry.size[2]);
  if (geometry.unit == LengthUnit::Millimetre) {
    text += QStringLiteral("\n%1 × %2")
                .arg(geometry.spacing[0], 0, 'f', 2)
                .arg(geometry.spacing[1], 0, 'f', 2);
    // The third of a single slice is no distance to anything.
    if (!geometry.is_2d()) text += QStringLiteral(" × %1").arg(geometry.spacing[2], 0, 'f', 2);
    text += QStringLiteral(" mm");
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
