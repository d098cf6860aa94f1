// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/chart_view.h"

#include "ui/plots/chart_pipeline.h"
#include "ui/plots/plot_colors.h"
#include "ui/tools/wheel_steps.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <vtkGenericOpenGLRenderWindow.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {

namespace {

constexpr double kStep = 0.8;       // share of the range that a wheel step keeps
constexpr int kClickPixels = 4;     // a press that moves less than this is a click
constexpr double kPeakPixels = 10;  // a peak closer than this is picked
constexpr double kDot = 4;

}  // namespace

class ChartView::Private {
 public:
  explicit Private(ChartView& view)
      : view_(view), pipeline_(view.render_window()), colors_(plot_colors(view.palette())) {
    pipeline_.set_colors(colors_);
  }

  void lay_out() {
    layout_ = ChartLayout(placed_, seen_, view_.size(), QFontMetricsF(view_.font()));
    pipeline_.set_axes(layout_.axes(), view_.height(), view_.devicePixelRatioF());
  }
  [[nodiscard]] QPointF position_of(const PlotSample& sample) const {
    const PlotCurve& curve = placed_.curves[sample.curve];
    return layout_.position_of(curve.x[sample.index], curve.y[sample.index]);
  }
  [[nodiscard]] std::optional<PlotSample> peak_at(const QPointF& place) const;
  void hover(const std::optional<PlotSample>& sample);
  void pick(const QPointF& place);
  void look(const PlotRange& x, const PlotRange& y);
  void step(int by, bool over_peaks);
  [[nodiscard]] std::vector<std::size_t> stops(bool peaks) const;
  void draw_texts(QPainter& painter) const;
  void draw_legend(QPainter& painter) const;
  void draw_marks(QPainter& painter) const;
  void draw_samples(QPainter& painter) const;
  void draw_empty(QPainter& painter) const;

  ChartView& view_;
  ChartPipeline pipeline_;
  PlotColors colors_;
  Plot plot_;
  /// The same plot as placed on the axes.
  Plot placed_;
  std::vector<std::vector<std::size_t>> peaks_;
  ChartLayout::View whole_;
  ChartLayout::View seen_;
  ChartLayout layout_;
  std::optional<PlotSample> hovered_;
  std::optional<double> picked_;
  bool marks_hidden_ = false;
  QPoint pressed_;
  QPoint last_;
  bool dragging_ = false;
  WheelSteps wheel_;
};

std::optional<PlotSample> ChartView::Private::peak_at(const QPointF& place) const {
  std::optional<PlotSample> nearest;
  double least = kPeakPixels;
  for (std::size_t curve = 0; curve < peaks_.size(); ++curve) {
    for (const std::size_t index : peaks_[curve]) {
      const PlotSample sample{.curve = curve, .index = index};
      const QPointF away = position_of(sample) - place;
      const double distance = std::hypot(away.x(), away.y());
      if (distance > least || !layout_.area().contains(position_of(sample))) continue;
      least = distance;
      nearest = sample;
    }
  }
  return nearest;
}

void ChartView::Private::hover(const std::optional<PlotSample>& sample) {
  if (sample == hovered_) return;
  hovered_ = sample;
  view_.update();
  if (sample) {
    emit view_.sample_hovered(*sample);
  } else {
    emit view_.hover_ended();
  }
}

void ChartView::Private::pick(const QPointF& place) {
  if (const auto peak = peak_at(place)) {
    emit view_.sample_picked(*peak, true);
  } else if (layout_.area().contains(place)) {
    if (const auto sample = layout_.nearest(placed_, place))
      emit view_.sample_picked(*sample, false);
  }
}

void ChartView::Private::look(const PlotRange& x, const PlotRange& y) {
  seen_ = {.x = x, .y = y};
  lay_out();
  view_.redraw();
}

std::vector<std::size_t> ChartView::Private::stops(bool peaks) const {
  const std::size_t curve = hovered_ ? hovered_->curve : 0;
  if (peaks) return peaks_[curve];
  const PlotCurve& samples = plot_.curves[curve];
  std::vector<std::size_t> stops;
  for (std::size_t i = 0; i < std::min(samples.x.size(), samples.y.size()); ++i) {
    if (std::isfinite(samples.x[i]) && std::isfinite(samples.y[i])) stops.push_back(i);
  }
  return stops;
}

void ChartView::Private::step(int by, bool over_peaks) {
  if (plot_.empty()) return;
  const std::vector<std::size_t> places = stops(over_peaks);
  if (places.empty()) return;
  std::size_t to = by > 0 ? places.front() : places.back();
  if (hovered_ && by > 0) {
    const auto next = std::upper_bound(places.begin(), places.end(), hovered_->index);
    to = next == places.end() ? places.back() : *next;
  } else if (hovered_) {
    const auto next = std::lower_bound(places.begin(), places.end(), hovered_->index);
    to = next == places.begin() ? places.front() : *(next - 1);
  }
  hover(PlotSample{.curve = hovered_ ? hovered_->curve : 0, .index = to});
}

void ChartView::Private::draw_texts(QPainter& painter) const {
  const QFontMetricsF font(painter.font());
  const QRectF& area = layout_.area();
  painter.setPen(colors_.text);
  for (const Tick& tick : layout_.x_ticks()) {
    const double x = layout_.position_of(tick.value, 0).x();
    const double wide = font.horizontalAdvance(tick.text);
    painter.drawText(QPointF(x - wide / 2, area.bottom() + ChartLayout::kGap + font.ascent() + 2),
                     tick.text);
  }
  for (const Tick& tick : layout_.y_ticks()) {
    const double y = layout_.position_of(0, tick.value).y();
    const double wide = font.horizontalAdvance(tick.text);
    painter.drawText(QPointF(area.left() - 2 * ChartLayout::kGap - wide,
                             y + (font.ascent() - font.descent()) / 2),
                     tick.text);
  }
  const double below = view_.height() - font.descent() - ChartLayout::kGap;
  const QString across =
      font.elidedText(plot_.x.text(), Qt::ElideRight, std::max(0.0, area.width()));
  painter.drawText(QPointF(area.center().x() - font.horizontalAdvance(across) / 2, below), across);
  painter.save();
  painter.translate(ChartLayout::kGap + font.ascent(), area.center().y());
  painter.rotate(-90);
  const QString up = font.elidedText(plot_.y.text(), Qt::ElideRight, std::max(0.0, area.height()));
  painter.drawText(QPointF(-font.horizontalAdvance(up) / 2, 0), up);
  painter.restore();
}

void ChartView::Private::draw_legend(QPainter& painter) const {
  const QFontMetricsF font(painter.font());
  for (const ChartLayout::LegendEntry& entry : layout_.legend()) {
    const PlotCurve& curve = plot_.curves[entry.curve];
    const bool shown = curve.run == plot_.curves.front().run;
    const double middle = entry.place.center().y();
    painter.setPen(QPen(colors_.of(plot_, entry.curve), shown ? 3.0 : 1.6));
    painter.drawLine(QPointF(entry.place.left(), middle),
                     QPointF(entry.place.left() + ChartLayout::kSwatch, middle));
    painter.setPen(colors_.text);
    const QString name =
        font.elidedText(curve.name, Qt::ElideRight,
                        entry.place.width() - ChartLayout::kSwatch - 2 * ChartLayout::kGap);
    painter.drawText(QPointF(entry.place.left() + ChartLayout::kSwatch + ChartLayout::kGap,
                             middle + (font.ascent() - font.descent()) / 2),
                     name);
  }
  const ChartLayout::LeftOut& left_out = layout_.left_out();
  if (left_out.names == 0) return;
  painter.drawText(QPointF(left_out.place.left(),
                           left_out.place.center().y() + (font.ascent() - font.descent()) / 2),
                   left_out.text());
}

void ChartView::Private::draw_marks(QPainter& painter) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(layout_.area().adjusted(-1, -1, 1, 1));
  const auto upright = [&](double x, Qt::PenStyle style) {
    const double at = std::round(layout_.position_of(x, 0).x()) + 0.5;
    painter.setPen(QPen(colors_.axis, 1, style));
    painter.drawLine(QPointF(at, layout_.area().top()), QPointF(at, layout_.area().bottom()));
  };
  if (picked_) upright(*picked_, Qt::DashLine);
  draw_samples(painter);
  if (hovered_ && !marks_hidden_) {
    upright(placed_.curves[hovered_->curve].x[hovered_->index], Qt::SolidLine);
    painter.setClipping(false);
    painter.setPen(QPen(colors_.background, 1.5));
    painter.setBrush(colors_.of(plot_, hovered_->curve));
    painter.drawEllipse(position_of(*hovered_), kDot, kDot);
  }
  painter.restore();
}

/// Draws the values that were tried, the marks of the best one and the one to take, and the shaded
/// range.
void ChartView::Private::draw_samples(QPainter& painter) const {
  constexpr double kRing = 8;
  if (placed_.shaded) {
    const double left = layout_.position_of(placed_.shaded->low, 0).x();
    const double right = layout_.position_of(placed_.shaded->high, 0).x();
    QColor shade = colors_.curve(0);
    shade.setAlphaF(0.18F);
    painter.fillRect(QRectF(left, layout_.area().top(), right - left, layout_.area().height()),
                     shade);
  }
  if (placed_.samples == Plot::Samples::Sparse) {
    painter.setPen(Qt::NoPen);
    for (std::size_t c = 0; c < placed_.curves.size(); ++c) {
      painter.setBrush(colors_.of(plot_, c));
      for (std::size_t i = 0; i < placed_.curves[c].x.size(); ++i) {
        if (std::isfinite(placed_.curves[c].y[i]))
          painter.drawEllipse(position_of({.curve = c, .index = i}), kDot - 1, kDot - 1);
      }
    }
  }
  for (const PlotMark& mark : placed_.marks) {
    const QPointF at = position_of({.curve = mark.curve, .index = mark.index});
    const bool ring = mark.kind == PlotMark::Kind::Ring;
    painter.setPen(ring ? QPen(colors_.text, 2) : QPen(colors_.background, 1.5));
    painter.setBrush(ring ? QBrush(Qt::NoBrush) : QBrush(colors_.text));
    painter.drawEllipse(at, ring ? kRing : kDot + 1, ring ? kRing : kDot + 1);
  }
}

void ChartView::Private::draw_empty(QPainter& painter) const {
  painter.setPen(colors_.axis);
  painter.drawText(view_.rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                   ChartView::tr("Curves computed by operations are drawn here. Pin a curve to "
                                 "compare it with those of later runs."));
}

ChartView::ChartView(QWidget* parent) : VtkWidget(parent), d_(std::make_unique<Private>(*this)) {
  setAccessibleName(tr("Plot"));
  setMinimumSize(160, 110);
}

ChartView::~ChartView() = default;

QSize ChartView::sizeHint() const {
  return {480, 190};
}

void ChartView::set_plot(const Plot& plot) {
  const bool same_axes = plot.x == d_->plot_.x && plot.y == d_->plot_.y;
  const bool was_whole = d_->seen_ == d_->whole_;
  d_->plot_ = plot;
  d_->placed_ = placed_on_axes(plot);
  const ChartLayout::View whole = whole_view(d_->placed_);
  d_->peaks_.clear();
  for (const PlotCurve& curve : plot.curves) {
    const bool shown = curve.run == plot.curves.front().run && plot.samples == Plot::Samples::Dense;
    d_->peaks_.push_back(shown ? peaks_of(curve, plot.x.period, least_rise(plot))
                               : std::vector<std::size_t>());
  }
  d_->whole_ = whole;
  if (!same_axes || was_whole || plot.empty()) {
    d_->seen_ = whole;
  } else {
    d_->seen_ = {.x = zoomed(d_->seen_.x, whole.x, d_->seen_.x.low, 1.0),
                 .y = zoomed(d_->seen_.y, whole.y, d_->seen_.y.low, 1.0)};
  }
  if (!same_axes) d_->picked_.reset();
  d_->pipeline_.set_plot(d_->placed_, d_->peaks_);
  d_->hover({});
  d_->lay_out();
  redraw();
}

const Plot& ChartView::plot() const {
  return d_->plot_;
}

void ChartView::set_picked(std::optional<double> x) {
  d_->picked_ = x;
  update();
}

void ChartView::show_whole() {
  d_->look(d_->whole_.x, d_->whole_.y);
}

ChartLayout::View ChartView::view() const {
  return d_->seen_;
}

const std::vector<std::size_t>& ChartView::peaks(std::size_t curve) const {
  return d_->peaks_.at(curve);
}

QPointF ChartView::position_of(const PlotSample& sample) const {
  return d_->position_of(sample);
}

QImage ChartView::picture() {
  d_->marks_hidden_ = true;
  QImage picture = draw_image(1, true);
  d_->marks_hidden_ = false;
  return picture;
}

void ChartView::about_to_draw() {
  // Size, font and ratio may have changed since the last picture.
  d_->lay_out();
}

void ChartView::paint_over(QPainter& painter) {
  painter.setFont(font());
  if (d_->plot_.empty()) {
    d_->draw_empty(painter);
    return;
  }
  d_->draw_texts(painter);
  d_->draw_legend(painter);
  d_->draw_marks(painter);
}

void ChartView::mousePressEvent(QMouseEvent* event) {
  d_->pressed_ = d_->last_ = event->pos();
  d_->dragging_ = false;
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
  if (d_->plot_.empty()) return;
  if (!(event->buttons() & Qt::LeftButton)) {
    const bool inside = d_->layout_.area().contains(event->position());
    const auto peak = d_->peak_at(event->position());
    d_->hover(peak     ? peak
              : inside ? d_->layout_.nearest(d_->placed_, event->position())
                       : std::nullopt);
    setCursor(peak ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  if ((event->pos() - d_->pressed_).manhattanLength() >= kClickPixels) d_->dragging_ = true;
  if (!d_->dragging_) return;
  const QPoint from = std::exchange(d_->last_, event->pos());
  const double x = d_->layout_.x_at(from.x()) - d_->layout_.x_at(event->pos().x());
  const double y = d_->layout_.y_at(from.y()) - d_->layout_.y_at(event->pos().y());
  d_->look(moved(d_->seen_.x, d_->whole_.x, x), moved(d_->seen_.y, d_->whole_.y, y));
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = !std::exchange(d_->dragging_, false);
  if (clicked && event->button() == Qt::LeftButton && !d_->plot_.empty())
    d_->pick(event->position());
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
  d_->dragging_ = true;  // its release is not a click
  if (event->button() == Qt::LeftButton) show_whole();
}

void ChartView::wheelEvent(QWheelEvent* event) {
  event->accept();
  const int steps = d_->wheel_.add(*event);
  if (steps == 0 || d_->plot_.empty()) return;
  const double factor = std::pow(kStep, steps);
  const QPointF place = event->position();
  const QRectF& area = d_->layout_.area();
  // Beside an axis, only that axis zooms.
  const bool only_x = place.y() > area.bottom();
  const bool only_y = place.x() < area.left() && !only_x;
  const PlotRange x =
      only_y ? d_->seen_.x : zoomed(d_->seen_.x, d_->whole_.x, d_->layout_.x_at(place.x()), factor);
  const PlotRange y =
      only_x ? d_->seen_.y : zoomed(d_->seen_.y, d_->whole_.y, d_->layout_.y_at(place.y()), factor);
  d_->look(x, y);
}

void ChartView::leaveEvent(QEvent* event) {
  d_->hover({});
  VtkWidget::leaveEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
  const bool over_peaks = event->modifiers() & Qt::ControlModifier;
  switch (event->key()) {
    case Qt::Key_Left:
      d_->step(-1, over_peaks);
      return;
    case Qt::Key_Right:
      d_->step(1, over_peaks);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
      // Ctrl+Enter is the window's key for a run.
      if (over_peaks || !d_->hovered_) break;
      const std::vector<std::size_t>& peaks = d_->peaks_[d_->hovered_->curve];
      emit sample_picked(*d_->hovered_,
                         std::binary_search(peaks.begin(), peaks.end(), d_->hovered_->index));
      return;
    }
    default:
      break;
  }
  VtkWidget::keyPressEvent(event);
}

void ChartView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    d_->colors_ = plot_colors(palette());
    d_->pipeline_.set_colors(d_->colors_);
    redraw();
  }
  VtkWidget::changeEvent(event);
}

}  // namespace seedwave::ui
