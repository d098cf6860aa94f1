// SPDX-License-Identifier: Apache-2.0
#include "ui/views/slice_annotations.h"

#include "core/image/channel.h"
#include "core/image/length_scale.h"
#include "ui/views/annotation_text.h"
#include "ui/views/axis_ticks.h"
#include "ui/views/color_map.h"
#include "ui/views/color_wheel.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <optional>

namespace seedwave::ui {
namespace {

/// Views smaller than this show no texts.
constexpr int kLeastForTexts = 220;
const QColor& kText = kAnnotationText;
const QColor& kLetter = kAnnotationAccent;
const QColor& kHalo = kAnnotationHalo;
/// Distinct from the label colours and visible on grey: the crosshair is drawn over everything.
const QColor kCrosshair(0xB6, 0xF0, 0x7A, 190);

struct AnnotationText {
  Q_DECLARE_TR_FUNCTIONS(SliceView)
};

enum class Side { Left, Right };

/// Draws lines from the top down, or from the bottom up. Lines wider than `most_width` are elided.
/// Draws a dark ground under texts on colours, where an outline alone is lost in bright tissue.
void draw_ground(QPainter& painter, const QRectF& place) {
  constexpr double kAround = 3.0;
  painter.setPen(Qt::NoPen);
  painter.setBrush(kAnnotationGround);
  painter.drawRoundedRect(place.adjusted(-kAround, -kAround, kAround, kAround), kAround, kAround);
}

void draw_column(QPainter& painter, const QStringList& lines, Side side, bool from_bottom,
                 const AnnotationState& state, double most_width) {
  const QSize& size = state.size;
  const QFontMetricsF metrics(painter.font());
  double y = from_bottom ? size.height() - kAnnotationMargin - metrics.descent() -
                               metrics.lineSpacing() * static_cast<double>(lines.size() - 1)
                         : kAnnotationMargin + metrics.ascent();
  if (state.is_color && !lines.isEmpty()) {
    double width = 0.0;
    for (const QString& line : lines)
      width = std::max(width, std::min(most_width, metrics.horizontalAdvance(line)));
    const double x =
        side == Side::Left ? kAnnotationMargin : size.width() - kAnnotationMargin - width;
    draw_ground(painter, {x, y - metrics.ascent(), width,
                          metrics.lineSpacing() * static_cast<double>(lines.size())});
  }
  for (const QString& line : lines) {
    const QString shown = metrics.elidedText(line, Qt::ElideRight, most_width);
    const double x = side == Side::Left
                         ? kAnnotationMargin
                         : size.width() - kAnnotationMargin - metrics.horizontalAdvance(shown);
    draw_text(painter, {x, y}, shown, kText);
    y += metrics.lineSpacing();
  }
}

QFont letter_font(const QFont& plain) {
  QFont bold = plain;
  bold.setBold(true);
  bold.setPointSizeF(plain.pointSizeF() * 1.25);
  return bold;
}

void draw_letters(QPainter& painter, const AnnotationState& state) {
  const PlaneAxes::Sides sides = state.axes.sides(state.display.head_foot);
  const QFont plain = painter.font();
  painter.setFont(letter_font(plain));
  const QFontMetricsF metrics(painter.font());
  const double width = state.size.width();
  const double height = state.size.height();
  const double middle = height / 2 + metrics.capHeight() / 2;
  const auto advance = [&](const QString& text) { return metrics.horizontalAdvance(text); };
  draw_text(painter, {kAnnotationMargin, middle}, sides.left, kLetter);
  draw_text(painter, {width - kAnnotationMargin - advance(sides.right), middle}, sides.right,
            kLetter);
  draw_text(painter, {(width - advance(sides.top)) / 2, kAnnotationMargin + metrics.capHeight()},
            sides.top, kLetter);
  draw_text(painter, {(width - advance(sides.bottom)) / 2, height - kAnnotationMargin},
            sides.bottom, kLetter);
  painter.setFont(plain);
}

QString plane_name(const PlaneAxes& axes) {
  if (!axes.has_sides()) return {};
  switch (axes.plane()) {
    case PlaneKind::Axial:
      return AnnotationText::tr("Axial");
    case PlaneKind::Coronal:
      return AnnotationText::tr("Coronal");
    case PlaneKind::Sagittal:
      break;
  }
  return AnnotationText::tr("Sagittal");
}

/// Returns the largest width of a text in a corner: it ends before the letter in the middle of its
/// side.
double corner_width(const QFont& plain, const AnnotationState& state) {
  constexpr double kGap = 6.0;
  double letter = 0.0;
  if (state.axes.has_sides()) {
    const PlaneAxes::Sides sides = state.axes.sides(state.display.head_foot);
    const QFontMetricsF metrics(letter_font(plain));
    letter =
        std::max(metrics.horizontalAdvance(sides.top), metrics.horizontalAdvance(sides.bottom));
  }
  return (state.size.width() - letter) / 2 - kGap - kAnnotationMargin;
}

QStringList top_right_lines(const AnnotationState& state) {
  QStringList lines;
  if (!state.display.show_corner_texts) return lines;
  const QString plane = plane_name(state.axes);
  if (!plane.isEmpty()) lines << plane;
  if (state.axes.slice_count() > 1) {
    lines << AnnotationText::tr("Slice %1 / %2").arg(state.slice + 1).arg(state.axes.slice_count());
  }
  return lines;
}

void draw_corners(QPainter& painter, const AnnotationState& state) {
  QStringList top_left;
  if (state.display.show_patient && !state.texts.patient.isEmpty()) {
    top_left << state.texts.patient;
  }
  if (!state.texts.series.isEmpty()) top_left << state.texts.series;
  if (!state.texts.note.isEmpty()) top_left << state.texts.note;
  QStringList bottom_left;
  const GreyWindow& window = state.display.window;
  if (!state.is_color) {
    bottom_left << AnnotationText::tr("W %1  L %2")
                       .arg(window_number(window.width, window.width),
                            window_number(window.centre, window.width));
  }
  if (const auto shown = find_channel(state.display.channel); state.is_color && shown)
    bottom_left << QString::fromStdString(shown->title);
  bottom_left << zoom_text(state.scale, state.fitted, state.axes.geometry());
  // Deviations from the usual display are stated.
  if (state.axes.has_sides() && state.display.convention == Convention::Neurological) {
    bottom_left << AnnotationText::tr("Neurological");
  }
  const Turn& turn = state.display.turn;
  if (state.axes.geometry().is_2d() && turn.quarters != 0)
    bottom_left << AnnotationText::tr("Turned by %1°").arg(90 * turn.quarters);
  if (state.axes.geometry().is_2d() && turn.mirrored) bottom_left << AnnotationText::tr("Mirrored");
  if (state.display.inverted) bottom_left << AnnotationText::tr("Inverted");
  const double width = corner_width(painter.font(), state);
  if (!state.texts.run.isEmpty()) top_left.prepend(QString());  // reserves its line
  draw_column(painter, top_left, Side::Left, false, state, width);
  draw_column(painter, top_right_lines(state), Side::Right, false, state, width);
  draw_column(painter, bottom_left, Side::Left, true, state, width);
}

/// Draws the name of the run that the view shows, even if other texts are hidden.
void draw_run(QPainter& painter, const AnnotationState& state) {
  const QFont plain = painter.font();
  QFont bold = plain;
  bold.setBold(true);
  painter.setFont(bold);
  const QFontMetricsF metrics(bold);
  const QString shown =
      metrics.elidedText(state.texts.run, Qt::ElideRight, corner_width(plain, state));
  draw_text(painter, {kAnnotationMargin, kAnnotationMargin + QFontMetricsF(plain).ascent()}, shown,
            kLetter);
  painter.setFont(plain);
}

void draw_scale_bar(QPainter& painter, const AnnotationState& state) {
  const LengthUnit unit = state.axes.geometry().unit;
  const ScaleBar bar = scale_bar(state.mm_pixels, state.size.width() * 0.22, unit);
  if (bar.length <= 0) return;
  const double length = bar.length * state.mm_pixels;
  const double right = state.size.width() - kAnnotationMargin - 2;
  const double y = state.size.height() - kAnnotationMargin - 3;
  const QFontMetricsF metrics(painter.font());
  // Above the middle of the bar, or inside the view if the bar is shorter than its text.
  const double text = metrics.horizontalAdvance(bar.text);
  const QPointF baseline(std::min(right - length / 2 - text / 2, right - text), y - 9);
  if (state.is_color) {
    const double left = std::min(baseline.x(), right - length);
    draw_ground(painter,
                QRectF(QPointF(left, baseline.y() - metrics.ascent()), QPointF(right, y + 2)));
  }
  QPainterPath path;
  path.moveTo(right - length, y - 4);
  path.lineTo(right - length, y);
  path.lineTo(right, y);
  path.lineTo(right, y - 4);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(kHalo, 4, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.drawPath(path);
  painter.setPen(QPen(kText, 1.6, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.drawPath(path);
  draw_text(painter, baseline, bar.text, kText);
}

QString threshold_text(const ScalarMap& map, const MapStyle& style) {
  if (map.full > 0.0) return QStringLiteral("θ %1").arg(style.threshold, 0, 'f', 2);
  return QStringLiteral("> %1").arg(value_on_axis(style.threshold, style.low, style.high));
}

/// Returns the place of the bar at the right side, below the lines in the corner and its title, and
/// above the letter in the middle. Null if there is no room.
QRectF color_bar_place(const QFontMetricsF& metrics, const AnnotationState& state) {
  constexpr double kWidth = 12;
  const double height = std::min(180.0, state.size.height() * 0.36);
  const double bottom = state.size.height() * 0.5 - metrics.lineSpacing() * 1.5;
  const double lines = static_cast<double>(top_right_lines(state).size()) + 2.5;
  const double top = std::max(bottom - height, kAnnotationMargin + metrics.lineSpacing() * lines);
  if (bottom - top < 40) return {};
  return {state.size.width() - kAnnotationMargin - kWidth - 4, top, kWidth, bottom - top};
}

void draw_color_bar(QPainter& painter, const AnnotationState& state) {
  const QFontMetricsF metrics(painter.font());
  constexpr double kTick = 4;
  const double gap = metrics.height() / 2 + 4;  // half the height of the topmost number
  const QRectF bar = color_bar_place(metrics, state);
  if (bar.isNull()) return;
  const ScalarMap& map = *state.map;
  const MapStyle& style = state.display.overlay.map;
  const int most = std::max(2, static_cast<int>(bar.height() / (2.2 * metrics.height())));
  std::vector<Tick> ticks = round_ticks(style.low, style.high, most);
  const double span = style.high - style.low;
  const auto height_of = [&](double value) {
    return bar.bottom() - std::clamp((value - style.low) / span, 0.0, 1.0) * bar.height();
  };
  const bool cut = !style.shows_all() && style.threshold > style.low - 1e-9 * span;
  const double cut_y = height_of(style.threshold);
  const QString cut_text = threshold_text(map, style);
  if (cut) {  // the threshold's number stands there
    std::erase_if(ticks, [&](const Tick& tick) {
      return std::abs(height_of(tick.value) - cut_y) < metrics.height();
    });
  }
  // A dark background is readable on a bright slide and on black air.
  const QString title = map_title(map);
  double widest = cut ? metrics.horizontalAdvance(cut_text) : 0.0;
  for (const Tick& tick : ticks)
    widest = std::max(widest, metrics.horizontalAdvance(tick.text));
  const double below_title = bar.top() - gap + metrics.descent() + 1;
  const QRectF ground(QPointF(bar.left() - kTick - 10 - widest, below_title),
                      QPointF(bar.right() + 6, bar.bottom() + metrics.height() / 2 + 2));
  const double title_left = bar.right() - metrics.horizontalAdvance(title) - 6;
  const QRectF title_ground(
      QPointF(std::min(ground.left(), title_left), below_title - metrics.height() - 3),
      QPointF(ground.right(), below_title));
  painter.setPen(Qt::NoPen);
  painter.setBrush(kAnnotationGround);
  painter.drawRect(ground);
  painter.drawRect(title_ground);

  const ColorTable& colors = color_table(style.colors);
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  for (std::size_t i = 0; i < colors.size(); i += 15)
    gradient.setColorAt(static_cast<double>(i) / 255, QColor(colors[i]));
  painter.setPen(QPen(kText, 1));
  painter.setBrush(gradient);
  painter.drawRect(bar);
  const auto mark = [&](double y, const QString& text, const QColor& color) {
    painter.setPen(QPen(color, 1));
    painter.drawLine(QPointF(bar.left() - kTick, y), QPointF(bar.left(), y));
    draw_text(
        painter,
        {bar.left() - kTick - 4 - metrics.horizontalAdvance(text), y + metrics.capHeight() / 2},
        text, color);
  };
  if (cut) {  // values below are not shown
    painter.fillRect(
        QRectF(bar.left(), cut_y, bar.width(), bar.bottom() - cut_y).adjusted(0.5, 0, -0.5, -0.5),
        QColor(20, 20, 20, 210));
    painter.setPen(QPen(kLetter, 1.5));
    painter.drawLine(QPointF(bar.left() - kTick, cut_y), QPointF(bar.right() + 1, cut_y));
    mark(cut_y, cut_text, kLetter);
  }
  for (const Tick& tick : ticks)
    mark(height_of(tick.value), tick.text, kText);
  draw_text(painter, {bar.right() - metrics.horizontalAdvance(title), bar.top() - gap}, title,
            kText);
}

/// Draws why there is no map yet, below the lines in the corner.
void draw_map_note(QPainter& painter, const AnnotationState& state) {
  const QFontMetricsF metrics(painter.font());
  const QString shown = metrics.elidedText(state.map_note, Qt::ElideRight,
                                           state.size.width() - 2 * kAnnotationMargin);
  const double line = static_cast<double>(top_right_lines(state).size()) + 0.5;
  draw_text(painter,
            {state.size.width() - kAnnotationMargin - metrics.horizontalAdvance(shown),
             kAnnotationMargin + metrics.ascent() + line * metrics.lineSpacing()},
            shown, kLetter);
}

}  // namespace

QString map_title(const ScalarMap& map) {
  QString title =
      QString::fromStdString(map.title.empty() ? map.name : map.title).replace('_', ' ');
  title = title.left(1).toUpper() + title.mid(1);
  return map.unit.empty() ? title
                          : QStringLiteral("%1 (%2)").arg(title, QString::fromStdString(map.unit));
}

QString window_number(double value, double width) {
  const int decimals = width >= 20 ? 0 : width >= 2 ? 1 : width >= 0.2 ? 2 : 4;
  QString text = QString::number(value, 'f', decimals);
  // Writes "-0" as "0".
  if (text.startsWith('-') && text.toDouble() == 0) text.remove(0, 1);
  return text;
}

QString zoom_text(double scale, bool fitted, const Geometry& geometry) {
  const double percent = scale * 100;
  // A whole slide in one view is far below 1 %.
  const QString number = QString::number(percent, 'f', percent >= 10 ? 0 : percent >= 1 ? 1 : 2);
  const QString zoom = fitted ? AnnotationText::tr("Zoom %1 % (fit)").arg(number)
                              : AnnotationText::tr("Zoom %1 %").arg(number);
  const std::optional<double> micrometres = micrometres_per_pixel(geometry);
  if (!micrometres) return zoom;
  const double times = kMicrometresAtOne * scale / *micrometres;
  return AnnotationText::tr("%1\u00d7, %2")
      .arg(QString::number(times, 'f',
                           times >= 10  ? 0
                           : times >= 1 ? 1
                                        : 2),
           zoom.left(1).toLower() + zoom.mid(1));
}

ScaleBar scale_bar(double pixels_a_unit, double most_pixels, LengthUnit unit) {
  if (!(pixels_a_unit > 0) || !(most_pixels > 0)) return {};
  const double most = most_pixels / pixels_a_unit;
  const double decade = std::pow(10.0, std::floor(std::log10(most)));
  double length = decade;
  if (5 * decade <= most * (1 + 1e-9)) {
    length = 5 * decade;
  } else if (2 * decade <= most * (1 + 1e-9)) {
    length = 2 * decade;
  }
  if (unit == LengthUnit::Pixel) return {length, AnnotationText::tr("%1 px").arg(length)};
  const bool in_micrometres = unit == LengthUnit::Micrometre;
  const double mm = in_micrometres ? length / 1000 : length;
  if (mm < 1) return {length, AnnotationText::tr("%1 µm").arg(std::round(mm * 1e6) / 1e3)};
  return {length, AnnotationText::tr("%1 mm").arg(mm)};
}

void draw_annotations(QPainter& painter, const AnnotationState& state) {
  if (state.size.width() < kLeastForTexts || state.size.height() < kLeastForTexts) {
    if (state.axes.has_sides()) draw_letters(painter, state);
    return;
  }
  if (state.axes.has_sides()) draw_letters(painter, state);
  if (state.display.show_corner_texts) draw_corners(painter, state);
  if (!state.texts.run.isEmpty()) draw_run(painter, state);
  draw_scale_bar(painter, state);
  if (state.map != nullptr && state.map->period > 0.0) {
    const double line = QFontMetricsF(painter.font()).lineSpacing();
    const double lines = static_cast<double>(top_right_lines(state).size()) + 0.5;
    draw_color_wheel(painter, *state.map, state.display.overlay.map, state.axes,
                     {state.size.width() - kAnnotationMargin, kAnnotationMargin + line * lines},
                     state.size.height() - kAnnotationMargin - 2 * line);
  } else if (state.map != nullptr) {
    draw_color_bar(painter, state);
  } else if (!state.map_note.isEmpty()) {
    draw_map_note(painter, state);
  }
}

void draw_crosshair(QPainter& painter, const QPointF& cursor, const QSize& size) {
  constexpr double kGap = 9.0;
  // On whole pixels, or one line becomes two dim ones.
  const double x = std::floor(cursor.x()) + 0.5;
  const double y = std::floor(cursor.y()) + 0.5;
  painter.setPen(QPen(kCrosshair, 1));
  painter.drawLine(QPointF(0, y), QPointF(x - kGap, y));
  painter.drawLine(QPointF(x + kGap, y), QPointF(size.width(), y));
  painter.drawLine(QPointF(x, 0), QPointF(x, y - kGap));
  painter.drawLine(QPointF(x, y + kGap), QPointF(x, size.height()));
}

void draw_brush(QPainter& painter, const QPointF& centre, double radius, BrushMark mark,
                const QColor& color) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(kHalo, 3));
  painter.drawEllipse(centre, radius, radius);
  QPen pen(mark == BrushMark::Eraser ? QColor(Qt::white) : color, 1.5);
  // Colour alone is not enough: the eraser's outline is dashed.
  if (mark == BrushMark::Eraser) pen.setDashPattern({3, 3});
  painter.setPen(pen);
  painter.drawEllipse(centre, radius, radius);
}

void draw_box(QPainter& painter, const QRectF& box) {
  painter.setBrush(QColor(255, 255, 255, 24));
  painter.setPen(QPen(kHalo, 3));
  painter.drawRect(box);
  QPen pen(Qt::white, 1);
  pen.setDashPattern({4, 3});
  painter.setPen(pen);
  painter.drawRect(box);
}

}  // namespace seedwave::ui
