// SPDX-License-Identifier: Apache-2.0
#include "ui/window/run_text.h"

#include "core/image/length_scale.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace seedwave::ui {

namespace {

QString text(const char* source) {
  return QCoreApplication::translate("Run", source);
}

QString milliseconds(double ms) {
  return QLocale().toString(ms, 'f', ms < 10.0 ? 1 : 0);
}

}  // namespace

QString backend_text(const Run& run) {
  const QString where = run.facts.device.empty()
                            ? QString::fromStdString(run.facts.backend).toUpper()
                            : QString::fromStdString(run.facts.device);
  return text("%1, %2: %3 ms")
      .arg(where, QString::fromStdString(run.facts.algorithm), milliseconds(run.facts.total_ms));
}

QString backend_tip(const Run& run) {
  QStringList lines{QString::fromStdString(run.facts.why)};
  for (const StageTime& stage : run.facts.stages) {
    lines << text("%1: %2 ms").arg(QString::fromStdString(stage.stage), milliseconds(stage.ms));
  }
  return lines.join('\n');
}

QString spacing_text(const Geometry& geometry) {
  if (geometry.unit == LengthUnit::Pixel) {
    return QStringLiteral("%1 × %2 px").arg(geometry.size[0]).arg(geometry.size[1]);
  }
  const QLocale locale;
  const LengthScale lengths = length_scale(geometry);
  QStringList steps;
  // The third spacing of a single slice has no meaning.
  for (std::size_t axis = 0; axis < (geometry.is_2d() ? 2 : 3); ++axis)
    steps << locale.toString(geometry.spacing[axis] * lengths.per_unit, 'f', 2);
  return QStringLiteral("%1 %2").arg(steps.join(QStringLiteral(" × ")),
                                     QString::fromStdString(lengths.symbol));
}

}  // namespace seedwave::ui
