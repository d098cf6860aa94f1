// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/heat_map.h"

#include "ui/views/color_map.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <limits>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr int kGap = 8;
constexpr int kBarWidth = 16;
/// The largest size of a cell, for tables with few cells.
constexpr int kLargestCell = 110;

QColor color_of(double figure, const std::pair<double, double>& range) {
  const double span = range.second - range.first;
  const double share = span > 0.0 ? (figure - range.first) / span : 1.0;
  const auto entry = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 255.0 + 0.5);
  return QColor(color_table(ColorScheme::Viridis)[entry]);
}

QColor ink_on(const QColor& color) {
  return qGray(color.rgb()) > 130 ? QColor(Qt::black) : QColor(Qt::white);
}

/// Draws twice, dark under light, to be visible on every colour.
template <typename Draw>
void with_rim(QPainter& painter, double width, Qt::PenStyle style, Draw&& draw) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, width + 2.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  draw();
  painter.setPen(QPen(Qt::white, width, style, Qt::SquareCap, Qt::MiterJoin));
  draw();
}

}  // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("heat_map"));
  setAccessibleName(tr("Heat map"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeatMap::set_data(HeatMapData data) {
  data_ = std::move(data);
  if (current_ && *current_ >= data_.figures.size()) current_.reset();
  update();
}

QSize HeatMap::minimumSizeHint() const {
  return {260, 180};
}

QSize HeatMap::sizeHint() const {
  return {460, 360};
}

QRect HeatMap::table_rect() const {
  const QFontMetrics metrics(font());
  int row_width = 0;
  for (const QString& row : data_.rows)
    row_width = std::max(row_width, metrics.horizontalAdvance(row));
  const int left = data_.y_title.isEmpty() ? kGap : metrics.height() + row_width + 3 * kGap;
  const int right = kBarWidth + 3 * kGap + metrics.horizontalAdvance(QStringLiteral("0.0000"));
  const int bottom = 2 * metrics.height() + 3 * kGap;
  const int top = metrics.height() + 2 * kGap;
  const int columns = std::max(1, static_cast<int>(data_.columns.size()));
  const int rows = std::max(1, static_cast<int>(data_.rows.size()));
  const int cell_width = std::clamp((width() - left - right) / columns, 1, kLargestCell);
  const int cell_height = std::clamp((height() - top - bottom) / rows, 1, kLargestCell);
  return {left, top, cell_width * columns, cell_height * rows};
}

QRect HeatMap::cell_rect(std::size_t cell) const {
  const QRect table = table_rect();
  const int columns = static_cast<int>(data_.columns.size());
  const int rows = static_cast<int>(data_.rows.size());
  const int column = static_cast<int>(cell) % columns;
  const int row = static_cast<int>(cell) / columns;
  const int cell_width = table.width() / columns;
  const int cell_height = table.height() / rows;
  return {table.left() + column * cell_width, table.top() + (rows - 1 - row) * cell_height,
          cell_width, cell_height};
}

std::optional<std::size_t> HeatMap::cell_at(const QPoint& at) const {
  for (std::size_t cell = 0; cell < data_.figures.size(); ++cell) {
    if (cell_rect(cell).contains(at)) return cell;
  }
  return {};
}

std::pair<double, double> HeatMap::range() const {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto& figure : data_.figures) {
    if (!figure) continue;
    low = std::min(low, *figure);
    high = std::max(high, *figure);
  }
  return {low, high};
}

void HeatMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (data_.figures.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect().adjusted(kGap, kGap, -kGap, -kGap), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Choose a parameter and its values, then click Run sweep."));
    return;
  }
  draw_cells(painter);
  draw_outline(painter);
  draw_marks(painter);
  draw_axes(painter);
  draw_bar(painter);
}

void HeatMap::draw_cells(QPainter& painter) const {
  const std::pair<double, double> range = this->range();
  const QFontMetrics metrics(font());
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t cell = 0; cell < data_.figures.size(); ++cell) {
    const QRect rect = cell_rect(cell);
    const std::optional<double>& figure = data_.figures[cell];
    if (!figure) {
      painter.fillRect(rect, palette().color(QPalette::AlternateBase));
      painter.fillRect(rect, QBrush(palette().color(QPalette::Mid), Qt::BDiagPattern));
      continue;
    }
    const QColor color = color_of(*figure, range);
    painter.fillRect(rect, color);
    const QString& text = data_.texts[static_cast<int>(cell)];
    if (metrics.horizontalAdvance(text) + 4 > rect.width() || metrics.height() > rect.height()) {
      continue;
    }
    painter.setPen(ink_on(color));
    painter.drawText(rect, Qt::AlignCenter, text);
  }
  painter.setRenderHint(QPainter::Antialiasing);
}

void HeatMap::draw_outline(QPainter& painter) const {
  const std::size_t columns = static_cast<std::size_t>(data_.columns.size());
  const auto is_in = [&](std::size_t cell) {
    return std::binary_search(data_.outlined.begin(), data_.outlined.end(), cell);
  };
  std::vector<QLine> lines;
  for (const std::size_t cell : data_.outlined) {
    // Inset by a pixel, so that the whole line lies on the table.
    const QRect r = cell_rect(cell);
    const int right = r.left() + r.width();
    const int bottom = r.top() + r.height();
    const std::size_t column = cell % columns;
    if (column == 0 || !is_in(cell - 1)) lines.emplace_back(r.left(), r.top(), r.left(), bottom);
    if (column + 1 == columns || !is_in(cell + 1))
      lines.emplace_back(right, r.top(), right, bottom);
    if (cell < columns || !is_in(cell - columns))
      lines.emplace_back(r.left(), bottom, right, bottom);
    if (cell + columns >= data_.figures.size() || !is_in(cell + columns))
      lines.emplace_back(r.left(), r.top(), right, r.top());
  }
  with_rim(painter, 2.0, Qt::SolidLine, [&] {
    for (const QLine& line : lines)
      painter.drawLine(line);
  });
}

void HeatMap::draw_marks(QPainter& painter) const {
  const auto corner = [&](std::size_t cell, double size) {
    // The upper right corner holds no figure.
    const QRect r = cell_rect(cell);
    const double side = std::min({size, r.width() / 2.5, r.height() / 2.5});
    return QRectF(r.right() - side - 4, r.top() + 5, side, side);
  };
  if (data_.best) {
    with_rim(painter, 2.0, Qt::SolidLine, [&] { painter.drawEllipse(corner(*data_.best, 11.0)); });
  }
  if (data_.centre) {
    const QRectF ring = corner(*data_.centre, 11.0);
    painter.setPen(QPen(Qt::black, 1.0));
    painter.setBrush(Qt::white);
    painter.drawEllipse(ring.center(), ring.width() / 4, ring.width() / 4);
  }
  if (current_ && hasFocus()) {
    with_rim(painter, 2.0, Qt::DotLine,
             [&] { painter.drawRect(cell_rect(*current_).adjusted(4, 4, -5, -5)); });
  }
}

void HeatMap::draw_axes(QPainter& painter) const {
  const QFontMetrics metrics(font());
  const QRect table = table_rect();
  painter.setPen(palette().color(QPalette::WindowText));
  const int cell_width = table.width() / std::max<int>(1, static_cast<int>(data_.columns.size()));
  int widest = 1;
  for (const QString& column : data_.columns)
    widest = std::max(widest, metrics.horizontalAdvance(column) + kGap);
  const int every = (widest + cell_width - 1) / cell_width;
  for (int i = 0; i < data_.columns.size(); i += every) {
    const QRect r = cell_rect(static_cast<std::size_t>(i));
    painter.drawText(
        QRect(r.center().x() - widest, table.bottom() + kGap / 2, 2 * widest, metrics.height()),
        Qt::AlignCenter, data_.columns[i]);
  }
  painter.drawText(QRect(table.left(), table.bottom() + metrics.height() + kGap, table.width(),
                         metrics.height()),
                   Qt::AlignCenter, data_.x_title);
  painter.drawText(QRect(table.left(), 0, width() - table.left(), metrics.height() + kGap),
                   Qt::AlignLeft | Qt::AlignVCenter, data_.value_title);
  if (data_.y_title.isEmpty()) return;
  const int every_row = std::max(1, metrics.height() / std::max(1, cell_rect(0).height()));
  for (int i = 0; i < data_.rows.size(); i += every_row) {
    const QRect r = cell_rect(static_cast<std::size_t>(i * data_.columns.size()));
    painter.drawText(
        QRect(0, r.center().y() - metrics.height(), table.left() - kGap, 2 * metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, data_.rows[i]);
  }
  painter.save();
  painter.translate(kGap / 2 + metrics.height() / 2, table.center().y());
  painter.rotate(-90.0);
  painter.drawText(
      QRect(-table.height() / 2 - 40, -metrics.height(), table.height() + 80, 2 * metrics.height()),
      Qt::AlignCenter, data_.y_title);
  painter.restore();
}

void HeatMap::draw_bar(QPainter& painter) const {
  const std::pair<double, double> range = this->range();
  if (!(range.first <= range.second)) return;  // no figure yet
  const QFontMetrics metrics(font());
  const QRect table = table_rect();
  const int least = 6 * metrics.height();
  const QRect bar(table.right() + 2 * kGap, table.top(), kBarWidth,
                  std::max(table.height(), std::min(least, height() - table.top() - kGap)));
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  const ColorTable& table_of = color_table(ColorScheme::Viridis);
  constexpr int kStops = 32;
  for (int i = 0; i <= kStops; ++i) {
    gradient.setColorAt(double(i) / kStops,
                        QColor(table_of[static_cast<std::size_t>(i * 255 / kStops)]));
  }
  const bool flat = range.first == range.second;
  painter.fillRect(bar, flat ? QBrush(color_of(range.first, range)) : QBrush(gradient));
  painter.setPen(palette().color(QPalette::WindowText));
  const auto tick = [&](double share) {
    const int y = bar.bottom() - static_cast<int>(share * (bar.height() - 1));
    painter.drawLine(bar.right() + 1, y, bar.right() + 4, y);
    const double figure = range.first + share * (range.second - range.first);
    painter.drawText(QRect(bar.right() + 7, y - metrics.height(), width(), 2 * metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, QString::number(figure, 'g', 3));
  };
  for (const double share : {0.0, 0.5, 1.0}) {
    if (!flat || share == 0.5) tick(share);
  }
}

void HeatMap::point_at(std::optional<std::size_t> cell) {
  const QString sentence = cell ? data_.sentences.value(static_cast<int>(*cell)) : QString();
  emit pointed_at(sentence);
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
  const auto cell = cell_at(event->pos());
  setCursor(cell && data_.figures[*cell] ? Qt::PointingHandCursor : Qt::ArrowCursor);
  point_at(cell);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
  const auto cell = cell_at(event->pos());
  if (event->button() != Qt::LeftButton || !cell) return;
  current_ = cell;
  point_at(cell);
  update();
  emit chosen(*cell);
}

void HeatMap::leaveEvent(QEvent*) {
  point_at(hasFocus() ? current_ : std::nullopt);
}

void HeatMap::focusInEvent(QFocusEvent*) {
  if (!current_ && !data_.figures.empty()) current_ = data_.centre.value_or(0);
  point_at(current_);
  update();
}

void HeatMap::focusOutEvent(QFocusEvent*) {
  update();
}

void HeatMap::keyPressEvent(QKeyEvent* event) {
  if (!current_ || data_.figures.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const std::size_t columns = static_cast<std::size_t>(data_.columns.size());
  std::size_t next = *current_;
  switch (event->key()) {
    case Qt::Key_Left:
      if (next % columns > 0) --next;
      break;
    case Qt::Key_Right:
      if (next % columns + 1 < columns) ++next;
      break;
    case Qt::Key_Down:
      if (next >= columns) next -= columns;
      break;
    case Qt::Key_Up:
      if (next + columns < data_.figures.size()) next += columns;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      emit chosen(next);
      return;
    default:
      QWidget::keyPressEvent(event);
      return;
  }
  current_ = next;
  setAccessibleDescription(data_.sentences.value(static_cast<int>(next)));
  QAccessibleEvent told(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
  point_at(current_);
  update();
}

}  // namespace seedwave::ui
