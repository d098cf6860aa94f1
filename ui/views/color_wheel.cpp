// SPDX-License-Identifier: Apache-2.0
#include "ui/views/color_wheel.h"

#include "ui/views/annotation_text.h"
#include "ui/views/axis_ticks.h"
#include "ui/views/color_map.h"
#include "ui/views/slice_annotations.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seedwave::ui {
namespace {

constexpr double kRadius = 42.0;
constexpr double kGap = 5.0;
constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kDegreesInTurn = 360.0;
/// Radius of the hole at the centre, where even strong directions are too close to tell apart.
constexpr double kHole = 0.16;

struct WheelText {
  Q_DECLARE_TR_FUNCTIONS(SliceView)
};

/// Returns the meaning of fading: "Response 0 to 42".
QString weight_text(const ScalarMap& map, const MapStyle& style) {
  if (map.weight == nullptr) return {};
  ScalarMap plain = *map.weight;
  plain.unit.clear();
  const bool whole = style.faint == std::floor(style.faint) && style.full == std::floor(style.full);
  const auto text = [&](double value) {
    return whole ? QString::number(value, 'f', 0) : value_on_axis(value, style.faint, style.full);
  };
  return WheelText::tr("%1 %2 to %3").arg(map_title(plain), text(style.faint), text(style.full));
}

}  // namespace

ColorWheel::ColorWheel(const ScalarMap& map, const PlaneAxes& axes)
    : period_(map.period), turns_(map.is_in_degrees() ? kDegreesInTurn / map.period : 1.0) {
  // Angles lie in the slices; other planes have no directions.
  if (axes.slice_axis() != 2) return;
  const QPointF right(axes.right_stride() < 0 ? -1.0 : 1.0, 0.0);
  const QPointF down(0.0, axes.down_stride() < 0 ? -1.0 : 1.0);
  along_columns_ = axes.right_axis() == 0 ? right : down;
  down_rows_ = axes.right_axis() == 0 ? down : right;
}

double ColorWheel::value_toward(double right, double down) const {
  const double x = right * along_columns_.x() + down * along_columns_.y();
  const double y = right * down_rows_.x() + down * down_rows_.y();
  const double rounds = std::atan2(-y, x) / kTurn * turns_;
  return (rounds - std::floor(rounds)) * period_;
}

QPointF ColorWheel::direction_of(double value) const {
  const double turned = value / period_ / turns_ * kTurn;
  return along_columns_ * std::cos(turned) - down_rows_ * std::sin(turned);
}

std::vector<double> ColorWheel::ticks() const {
  constexpr int kTicks = 4;
  std::vector<double> values;
  for (int i = 0; i < kTicks; ++i)
    values.push_back(period_ * i / kTicks);
  return values;
}

QImage ColorWheel::picture(int diameter, bool fades) const {
  const ColorTable& colors = color_table(ColorScheme::Cyclic);
  QImage disc(diameter, diameter, QImage::Format_ARGB32);
  disc.fill(Qt::transparent);
  const double radius = diameter / 2.0;
  for (int y = 0; y < diameter; ++y) {
    auto* row = reinterpret_cast<QRgb*>(disc.scanLine(y));
    for (int x = 0; x < diameter; ++x) {
      const double right = x + 0.5 - radius;
      const double down = y + 0.5 - radius;
      const double away = std::hypot(right, down) / radius;
      // Smooths the rim over one pixel.
      const double inside = std::clamp((1.0 - away) * radius, 0.0, 1.0);
      const double seen = fades ? std::max(0.0, (away - kHole) / (1.0 - kHole)) : 1.0;
      const auto level =
          std::lround(value_toward(right, down) / period_ * static_cast<double>(colors.size()));
      const QRgb color = colors[static_cast<std::size_t>(level) % colors.size()];
      row[x] = qRgba(qRed(color), qGreen(color), qBlue(color),
                     static_cast<int>(std::lround(255.0 * inside * seen)));
    }
  }
  return disc;
}

void draw_color_wheel(QPainter& painter, const ScalarMap& map, const MapStyle& style,
                      const PlaneAxes& axes, const QPointF& corner, double bottom) {
  const QFontMetricsF metrics(painter.font());
  const ColorWheel wheel(map, axes);
  const QString title = map_title(map);
  const QString below = weight_text(map, style);
  const QString unit = map.is_in_degrees() ? QString::fromStdString(map.unit) : QString();
  QStringList numbers;
  double widest = 0.0;
  for (const double value : wheel.ticks()) {
    numbers << value_on_axis(value, 0.0, map.period) + unit;
    widest = std::max(widest, metrics.horizontalAdvance(numbers.back()));
  }
  const double line = metrics.lineSpacing();
  const double half = kRadius + kGap + widest + kGap;
  const double wide = std::max({2 * half, metrics.horizontalAdvance(title) + 2 * kGap,
                                metrics.horizontalAdvance(below) + 2 * kGap});
  const double high = 2 * kRadius + 2 * line + 3 * kGap + (below.isEmpty() ? 0.0 : line);
  const QRectF ground(corner.x() - wide, corner.y(), wide, high);
  if (ground.bottom() > bottom || ground.left() < 0) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(kAnnotationGround);
  painter.drawRoundedRect(ground, 3, 3);

  const QPointF centre(ground.center().x(), ground.top() + 2 * line + 2 * kGap + kRadius);
  const double ratio = painter.device()->devicePixelRatioF();
  const QImage disc =
      wheel.picture(static_cast<int>(std::lround(2 * kRadius * ratio)), map.weight != nullptr);
  painter.drawImage(QRectF(centre.x() - kRadius, centre.y() - kRadius, 2 * kRadius, 2 * kRadius),
                    disc);
  const auto centred = [&](const QString& text, double baseline) {
    const double left = ground.center().x() - metrics.horizontalAdvance(text) / 2;
    draw_text(painter, {left, baseline}, text, kAnnotationText);
  };
  centred(title, ground.top() + kGap + metrics.ascent());
  if (!below.isEmpty()) centred(below, ground.bottom() - kGap - metrics.descent());
  const std::vector<double> ticks = wheel.ticks();
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const QPointF toward = wheel.direction_of(ticks[i]);
    painter.setPen(QPen(kAnnotationText, 1));
    painter.drawLine(centre + toward * (kRadius + 1), centre + toward * (kRadius + kGap - 1));
    const QString& text = numbers[static_cast<qsizetype>(i)];
    const double text_width = metrics.horizontalAdvance(text);
    // The centre of the text is farther out by half the size of the text in that direction.
    const double out = kRadius + kGap + 1 + std::abs(toward.x()) * text_width / 2 +
                       std::abs(toward.y()) * metrics.capHeight() / 2;
    const QPointF middle = centre + toward * out;
    draw_text(painter, {middle.x() - text_width / 2, middle.y() + metrics.capHeight() / 2}, text,
              kAnnotationText);
  }
}

}  // namespace seedwave::ui
