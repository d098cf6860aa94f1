// SPDX-License-Identifier: Apache-2.0
#include "ui/plots/chart_view.h"
#include "ui/plots/plot_colors.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

PlotCurve bumps(const QString& name, std::uint64_t run, double height) {
  PlotCurve curve{.name = name, .run = run, .x = {}, .y = {}};
  for (int x = 0; x <= 100; ++x) {
    curve.x.push_back(x);
    curve.y.push_back(height * std::exp(-(x - 30) * (x - 30) / 50.0) + 0.01 * x);
  }
  return curve;
}

Plot one_curve() {
  return {.x = {.title = QStringLiteral("Length"), .unit = QStringLiteral("px")},
          .y = {.title = QStringLiteral("Share")},
          .curves = {bumps(QStringLiteral("Run 1"), 1, 5)}};
}

QPalette palette_on(const QColor& base, const QColor& text) {
  QPalette palette;
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::Text, text);
  return palette;
}

}  // namespace

/// The real view on a real screen: grab() of a widget looks right even if the screen is black.
class TestChartView : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void cleanup() { window_.reset(); }
  void a_curve_is_seen_in_its_colour_where_it_is();
  void colours_follow_the_palette_and_stand_out_data();
  void colours_follow_the_palette_and_stand_out();
  void the_wheel_zooms_about_the_pointer_and_not_beyond_the_whole();
  void a_drag_moves_what_was_zoomed_and_is_no_click();
  void a_click_picks_the_peak_or_the_nearest_sample();
  void keys_step_over_samples_and_peaks();
  void gaps_and_single_samples_are_drawn();
  void it_survives_a_move_to_another_window();
  void a_curve_of_a_label_has_its_colour();
  void names_that_find_no_place_are_counted();

 private:
  /// Waits until the settings are on screen.
  void draw();
  [[nodiscard]] QImage on_screen();
  [[nodiscard]] int count_near(const QImage& image, const QPointF& place, const QColor& color,
                               int radius);
  void turn_wheel(const QPointF& place, int steps);

  std::unique_ptr<QWidget> window_;
  ChartView* view_ = nullptr;
};

void TestChartView::init() {
  window_ = std::make_unique<QWidget>();
  auto* layout = new QHBoxLayout(window_.get());
  layout->setContentsMargins(0, 0, 0, 0);
  view_ = new ChartView(window_.get());
  layout->addWidget(view_);
  window_->resize(600, 300);
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  view_->set_plot(one_curve());
  draw();
}

void TestChartView::draw() {
  QSignalSpy drawn(view_, &VtkWidget::drawn);
  view_->redraw();
  QVERIFY(drawn.wait());
}

QImage TestChartView::on_screen() {
  QCoreApplication::processEvents();
  draw();
  const QPoint at = view_->mapToGlobal(QPoint(0, 0));
  return QGuiApplication::primaryScreen()
      ->grabWindow(0, at.x(), at.y(), view_->width(), view_->height())
      .toImage();
}

int TestChartView::count_near(const QImage& image, const QPointF& place, const QColor& color,
                              int radius) {
  int count = 0;
  for (int y = -radius; y <= radius; ++y) {
    for (int x = -radius; x <= radius; ++x) {
      const QPoint at = place.toPoint() + QPoint(x, y);
      if (!image.valid(at)) continue;
      const QColor found = image.pixelColor(at);
      const int away = std::abs(found.red() - color.red()) +
                       std::abs(found.green() - color.green()) +
                       std::abs(found.blue() - color.blue());
      if (away < 60) ++count;
    }
  }
  return count;
}

void TestChartView::turn_wheel(const QPointF& place, int steps) {
  QWheelEvent event(place, view_->mapToGlobal(place), {}, {0, 120 * steps}, Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(view_, &event);
}

void TestChartView::a_curve_is_seen_in_its_colour_where_it_is() {
  const QImage image = on_screen();
  const QColor color = plot_colors(view_->palette()).curve(0);
  for (const std::size_t i : {5U, 25U, 30U, 60U, 95U}) {
    const QPointF place = view_->position_of({.curve = 0, .index = i});
    QVERIFY2(count_near(image, place, color, 3) > 0, qPrintable(QString::number(i)));
    // No part of it is elsewhere.
    if (i != 25U) QCOMPARE(count_near(image, place - QPointF(0, 40), color, 3), 0);
  }
}

void TestChartView::colours_follow_the_palette_and_stand_out_data() {
  QTest::addColumn<QColor>("base");
  QTest::addColumn<QColor>("text");
  QTest::newRow("light") << QColor(Qt::white) << QColor(Qt::black);
  QTest::newRow("dark") << QColor(0x1d, 0x1e, 0x20) << QColor(0xe6, 0xe6, 0xe6);
}

void TestChartView::colours_follow_the_palette_and_stand_out() {
  QFETCH(QColor, base);
  QFETCH(QColor, text);
  view_->setPalette(palette_on(base, text));
  const PlotColors colors = plot_colors(view_->palette());
  QVERIFY(colors.curves.size() >= 3);
  for (const QColor& color : colors.curves)
    QVERIFY(contrast_ratio(color, base) >= 3.0);
  QVERIFY(contrast_ratio(colors.axis, base) >= 3.0);
  const QImage image = on_screen();
  QCOMPARE(image.pixelColor(image.width() - 2, 2), base);
  const QPointF peak = view_->position_of({.curve = 0, .index = 30});
  QVERIFY(count_near(image, peak, colors.curve(0), 4) > 0);
}

void TestChartView::the_wheel_zooms_about_the_pointer_and_not_beyond_the_whole() {
  const QPointF peak = view_->position_of({.curve = 0, .index = 30});
  const ChartLayout::View whole = view_->view();
  turn_wheel(peak, -2);
  QVERIFY(view_->view() == whole);
  turn_wheel(peak, 4);
  QVERIFY(view_->view().x.high - view_->view().x.low < 0.5 * (whole.x.high - whole.x.low));
  const QPointF there = view_->position_of({.curve = 0, .index = 30});
  QVERIFY(std::hypot(there.x() - peak.x(), there.y() - peak.y()) < 12);  // the margins may move
  // Below the axis only x changes.
  const PlotRange y = view_->view().y;
  turn_wheel(QPointF(peak.x(), view_->height() - 4), 1);
  QVERIFY(view_->view().y == y);
  QTest::mouseDClick(view_, Qt::LeftButton, {}, peak.toPoint());
  QVERIFY(view_->view() == whole);
}

void TestChartView::a_drag_moves_what_was_zoomed_and_is_no_click() {
  const QPointF peak = view_->position_of({.curve = 0, .index = 30});
  turn_wheel(peak, 5);
  QSignalSpy picked(view_, &ChartView::sample_picked);
  const QPointF before = view_->position_of({.curve = 0, .index = 30});
  const QPoint start(300, 150);
  QTest::mousePress(view_, Qt::LeftButton, {}, start);
  for (int step = 1; step <= 5; ++step)
    QTest::mouseMove(view_, start - QPoint(10 * step, 0));
  QTest::mouseRelease(view_, Qt::LeftButton, {}, start - QPoint(50, 0));
  const QPointF after = view_->position_of({.curve = 0, .index = 30});
  QVERIFY(std::abs(before.x() - after.x() - 50) < 12);
  QCOMPARE(picked.count(), 0);
}

void TestChartView::a_click_picks_the_peak_or_the_nearest_sample() {
  QCOMPARE(view_->peaks(0), std::vector<std::size_t>{30});
  QSignalSpy picked(view_, &ChartView::sample_picked);
  const QPoint peak = view_->position_of({.curve = 0, .index = 30}).toPoint();
  QTest::mouseClick(view_, Qt::LeftButton, {}, peak + QPoint(4, -4));
  QCOMPARE(picked.count(), 1);
  QCOMPARE(picked[0][0].value<PlotSample>(), (PlotSample{0, 30}));
  QVERIFY(picked[0][1].toBool());
  QTest::mouseClick(view_, Qt::LeftButton, {},
                    view_->position_of({.curve = 0, .index = 80}).toPoint() - QPoint(0, 60));
  QCOMPARE(picked.count(), 2);
  QCOMPARE(picked[1][0].value<PlotSample>(), (PlotSample{0, 80}));
  QVERIFY(!picked[1][1].toBool());
  QTest::mouseClick(view_, Qt::LeftButton, {}, QPoint(3, 3));  // beside the axes
  QCOMPARE(picked.count(), 2);
}

void TestChartView::keys_step_over_samples_and_peaks() {
  QSignalSpy hovered(view_, &ChartView::sample_hovered);
  QSignalSpy picked(view_, &ChartView::sample_picked);
  QTest::keyClick(view_, Qt::Key_Right);
  QTest::keyClick(view_, Qt::Key_Right);
  QTest::keyClick(view_, Qt::Key_Left);
  QCOMPARE(hovered.last()[0].value<PlotSample>(), (PlotSample{0, 0}));
  QTest::keyClick(view_, Qt::Key_Right, Qt::ControlModifier);
  QCOMPARE(hovered.last()[0].value<PlotSample>(), (PlotSample{0, 30}));
  QTest::keyClick(view_, Qt::Key_Return);
  QCOMPARE(picked.count(), 1);
  QVERIFY(picked[0][1].toBool());
}

void TestChartView::gaps_and_single_samples_are_drawn() {
  Plot plot = one_curve();
  for (std::size_t i = 50; i < 60; ++i)
    plot.curves[0].y[i] = std::numeric_limits<double>::quiet_NaN();
  view_->set_plot(plot);
  const QColor color = plot_colors(view_->palette()).curve(0);
  const QImage image = on_screen();
  QVERIFY(count_near(image, view_->position_of({.curve = 0, .index = 45}), color, 3) > 0);
  const QPointF gap = (view_->position_of({.curve = 0, .index = 49}) +
                       view_->position_of({.curve = 0, .index = 60})) /
                      2;
  QCOMPARE(count_near(image, gap, color, 4), 0);
  plot.curves[0].x = {3};
  plot.curves[0].y = {7};
  view_->set_plot(plot);
  QVERIFY(!on_screen().isNull());
  view_->set_plot({});
  QVERIFY(!on_screen().isNull());
}

void TestChartView::it_survives_a_move_to_another_window() {
  QWidget other;
  auto* layout = new QHBoxLayout(&other);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_);
  window_->hide();
  other.resize(500, 260);
  other.show();
  QVERIFY(QTest::qWaitForWindowExposed(&other));
  const QColor color = plot_colors(view_->palette()).curve(0);
  const QImage image = on_screen();
  QVERIFY(count_near(image, view_->position_of({.curve = 0, .index = 30}), color, 4) > 0);
}

void TestChartView::a_curve_of_a_label_has_its_colour() {
  Plot plot = one_curve();
  plot.curves = {bumps(QStringLiteral("Run 2"), 2, 5), bumps(QStringLiteral("dermis"), 2, 5),
                 bumps(QStringLiteral("glass"), 2, 5)};
  PlotColors colors = plot_colors(view_->palette());
  colors.background = Qt::white;
  plot.curves[1].color = colors.curve(0).name();
  plot.curves[2].color = QStringLiteral("#f0e442");
  QCOMPARE(colors.of(plot, 1), colors.curve(0));
  // No other curve has it.
  QVERIFY(colors.of(plot, 0) != colors.curve(0));
  // Yellow on white would be invisible.
  QVERIFY(contrast_ratio(QColor(plot.curves[2].color), colors.background) < 3.0);
  QVERIFY(contrast_ratio(colors.of(plot, 2), colors.background) >= 3.0);
}

void TestChartView::names_that_find_no_place_are_counted() {
  const QFontMetricsF font(QApplication::font());
  for (const std::size_t count : {2, 5, 12, 40}) {
    Plot plot = one_curve();
    plot.curves.clear();
    for (std::size_t i = 0; i < count; ++i)
      plot.curves.push_back(bumps(QStringLiteral("Run 2, phase %1 of dermis").arg(i), 2, 5));
    for (const double width : {200.0, 700.0}) {
      const ChartLayout layout(plot, whole_view(plot), {width, 300.0}, font);
      QCOMPARE(layout.legend().size() + layout.left_out().names, count);
      if (layout.left_out().names == 0) continue;
      const QRectF told = layout.left_out().place;
      QVERIFY(!told.intersects(layout.legend().back().place));
      QVERIFY(told.bottom() <= layout.area().top());
      QVERIFY(told.right() <= width || layout.legend().size() == 1);
      QVERIFY(layout.left_out().text().contains(QString::number(layout.left_out().names)));
    }
  }
}

int main(int argc, char** argv) {
  set_default_surface_format();
  QApplication application(argc, argv);
  TestChartView test;
  return QTest::qExec(&test, argc, argv);
}
#include "test_chart_view.moc"
