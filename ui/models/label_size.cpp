// SPDX-License-Identifier: Apache-2.0
#include "ui/models/label_size.h"

#include "core/image/length_scale.h"

#include <QCoreApplication>
#include <QLocale>

namespace seedwave::ui {

namespace {

struct SizeText {
  Q_DECLARE_TR_FUNCTIONS(LabelSize)
};

constexpr double kMm3PerMl = 1000.0;

}  // namespace

QString size_unit(const Geometry& geometry) {
  const QString length = QString::fromStdString(length_scale(geometry).symbol);
  if (geometry.unit == LengthUnit::Pixel) return length;
  return geometry.is_2d() ? length + QStringLiteral("²") : SizeText::tr("ml");
}

double size_in_unit(const Geometry& geometry, std::int64_t voxels) {
  const auto count = static_cast<double>(voxels);
  if (geometry.unit == LengthUnit::Pixel) return count;
  if (!geometry.is_2d()) return count * geometry.voxel_volume() / kMm3PerMl;
  const double lengths = length_scale(geometry).per_unit;
  // The third spacing of a 2-D image has no meaning.
  return count * geometry.spacing[0] * geometry.spacing[1] * lengths * lengths;
}

QString size_number(const Geometry& geometry, std::int64_t voxels) {
  const QLocale locale;
  if (geometry.unit == LengthUnit::Pixel) return locale.toString(qlonglong{voxels});
  return locale.toString(size_in_unit(geometry, voxels), 'f', geometry.is_2d() ? 2 : 1);
}

QString size_text(const Geometry& geometry, std::int64_t voxels) {
  return QStringLiteral("%1 %2").arg(size_number(geometry, voxels), size_unit(geometry));
}

}  // namespace seedwave::ui
