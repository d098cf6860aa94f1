// SPDX-License-Identifier: Apache-2.0
#include "ui/views/readout.h"

#include "core/image/length_scale.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <optional>

namespace seedwave::ui {
namespace {

QString number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return QString::number(value, 'f', 0);
  return QString::number(value, 'g', 5);
}

}  // namespace

QString readout_position(const Geometry& geometry, const Vec3& world, HeadFootLetters letters,
                         bool in_patient) {
  if (geometry.unit != LengthUnit::Millimetre || !in_patient) {
    const LengthScale lengths = length_scale(geometry);
    return QStringLiteral("x %1  y %2 %3")
        .arg(world[0] * lengths.per_unit, 0, 'f', 1)
        .arg(world[1] * lengths.per_unit, 0, 'f', 1)
        .arg(QString::fromStdString(lengths.symbol));
  }
  const bool head_foot = letters == HeadFootLetters::HeadFoot;
  const char positive[] = {'L', 'P', head_foot ? 'H' : 'S'};
  const char negative[] = {'R', 'A', head_foot ? 'F' : 'I'};
  QString text;
  for (int axis = 0; axis < 3; ++axis) {
    const double rounded = std::round(world[axis] * 10) / 10;
    if (axis > 0) text += QStringLiteral("  ");
    text += QLatin1Char(rounded < 0 ? negative[axis] : positive[axis]);
    text += QStringLiteral(" %1").arg(std::abs(rounded), 0, 'f', 1);
  }
  return text + QStringLiteral(" mm");
}

QString readout_index(const Geometry& geometry, const Index3& index) {
  QString text = QStringLiteral("index %1, %2").arg(index[0]).arg(index[1]);
  if (!geometry.is_2d()) text += QStringLiteral(", %1").arg(index[2]);
  return text + QStringLiteral(" (0-based)");
}

QString readout_value(const Volume& image, const Index3& index, const QString& unit) {
  if (image.components() >= 3) {
    return QStringLiteral("R %1  G %2  B %3")
        .arg(number(image.value_at(index, 0)), number(image.value_at(index, 1)),
             number(image.value_at(index, 2)));
  }
  const QString value = number(image.value_at(index));
  return unit.isEmpty() ? value : value + ' ' + unit;
}

QString readout_map(const ScalarMap& map, const Index3& index) {
  const QString name = QString::fromStdString(map.name).replace('_', ' ');
  const double stored = map.volume.value_at(index);
  const double value = map.shown(stored);
  if (std::isnan(value)) {
    return QStringLiteral("%1 %2").arg(name, std::isnan(stored)
                                                 ? QStringLiteral("NaN")
                                                 : QCoreApplication::translate("Readout", "none"));
  }
  QString text = number(value);
  if (std::isinf(value)) text = value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  if (map.full > 0.0) text = QString::number(value, 'f', 2);
  if (!map.unit.empty())
    text +=
        (map.is_in_degrees() ? QString() : QStringLiteral(" ")) + QString::fromStdString(map.unit);
  const QString told = QStringLiteral("%1 %2").arg(name, text);
  if (map.weight == nullptr) return told;
  return QStringLiteral("%1, %2").arg(told, readout_map(*map.weight, index));
}

Readout readout(const ReadoutSource& source, const Hover& hover, HeadFootLetters letters) {
  Readout text;
  if (source.image.empty()) return text;
  const Geometry& geometry = source.image.geometry();
  text.position = readout_position(geometry, hover.world, letters, source.in_patient);
  if (!geometry.contains(hover.index)) return text;
  text.index = readout_index(geometry, hover.index);
  text.value = readout_value(source.image, hover.index, source.unit);
  if (!source.result.empty() && source.result.geometry().contains(hover.index)) {
    const std::optional<Label> patched =
        source.patch == nullptr ? std::nullopt
                                : source.patch->at(source.result.geometry().offset(hover.index));
    const Label label = patched.value_or(source.result.at(hover.index));
    const auto style = std::find_if(source.labels.begin(), source.labels.end(),
                                    [label](const LabelStyle& one) { return one.id == label; });
    if (source.name_of) {
      if (label != 0) text.label = source.name_of(label);
    } else if (style != source.labels.end()) {
      text.label = style->name;
    } else if (label != 0) {
      text.label = QStringLiteral("label %1").arg(label);
    }
  }
  if (!source.map.empty() && source.map.volume.geometry().contains(hover.index)) {
    text.map = readout_map(source.map, hover.index);
  }
  return text;
}

}  // namespace seedwave::ui
