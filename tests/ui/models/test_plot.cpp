// SPDX-License-Identifier: Apache-2.0
#include "ui/models/plot.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns a curve over 0, 1, 2, ...
PlotCurve curve_of(std::vector<double> y, const QString& name = {}) {
  PlotCurve curve{.name = name, .run = 1, .x = {}, .y = std::move(y)};
  for (std::size_t i = 0; i < curve.y.size(); ++i)
    curve.x.push_back(static_cast<double>(i));
  return curve;
}

using Peaks = std::vector<std::size_t>;

}  // namespace

class TestPlot : public QObject {
  Q_OBJECT
 private slots:
  void peaks_are_where_the_curve_rises_and_falls_data();
  void peaks_are_where_the_curve_rises_and_falls();
  void peaks_agree_with_the_definition_on_random_curves();
  void beside_others_a_level_curve_has_no_peaks();
  void ranges_take_finite_numbers_and_are_never_empty();
  void numbers_have_their_unit();
  void the_table_has_every_x_once();
};

void TestPlot::peaks_are_where_the_curve_rises_and_falls_data() {
  QTest::addColumn<std::vector<double>>("y");
  QTest::addColumn<double>("period");
  QTest::addColumn<Peaks>("peaks");
  using Y = std::vector<double>;
  QTest::newRow("none") << Y{} << 0.0 << Peaks{};
  QTest::newRow("one sample") << Y{3} << 0.0 << Peaks{};
  QTest::newRow("level") << Y{1, 1, 1, 1} << 0.0 << Peaks{};
  QTest::newRow("rising") << Y{1, 2, 3, 4} << 0.0 << Peaks{};
  QTest::newRow("ends are none") << Y{9, 1, 9} << 0.0 << Peaks{};
  QTest::newRow("two") << Y{0, 5, 1, 7, 0} << 0.0 << Peaks{1, 3};
  QTest::newRow("a level top") << Y{0, 4, 4, 4, 0} << 0.0 << Peaks{2};
  QTest::newRow("a step is none") << Y{0, 4, 4, 8, 0} << 0.0 << Peaks{3};
  QTest::newRow("a ripple is none") << Y{0, 50, 49, 50, 100, 0} << 0.0 << Peaks{4};
  QTest::newRow("a gap") << Y{0, 5, kNaN, 1, 7, kNaN, 0} << 0.0 << Peaks{1, 4};
  QTest::newRow("round: the first") << Y{9, 1, 0, 1} << 4.0 << Peaks{0};
  QTest::newRow("round: the last") << Y{1, 0, 1, 9} << 4.0 << Peaks{3};
  QTest::newRow("only part of the way round") << Y{9, 1, 0, 1} << 8.0 << Peaks{};
}

void TestPlot::peaks_are_where_the_curve_rises_and_falls() {
  QFETCH(std::vector<double>, y);
  QFETCH(double, period);
  QFETCH(Peaks, peaks);
  QCOMPARE(peaks_of(curve_of(y), period), peaks);
}

void TestPlot::peaks_agree_with_the_definition_on_random_curves() {
  std::srand(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> y;
    for (int i = 0; i < 40; ++i)
      y.push_back(std::rand() % 1000 + i / 64.0);  // all different
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    Peaks expected;
    for (std::size_t i = 1; i + 1 < y.size(); ++i) {
      if (y[i] < y[i - 1] || y[i] < y[i + 1]) continue;
      // Down to the valley on either side, as long as nothing is higher.
      double left = y[i];
      for (std::size_t j = i; j-- > 0 && y[j] <= y[i];)
        left = std::min(left, y[j]);
      double right = y[i];
      for (std::size_t j = i + 1; j < y.size() && y[j] <= y[i]; ++j)
        right = std::min(right, y[j]);
      if (y[i] - std::max(left, right) >= 0.05 * (*high - *low)) expected.push_back(i);
    }
    QCOMPARE(peaks_of(curve_of(y), 0.0), expected);
  }
}

void TestPlot::beside_others_a_level_curve_has_no_peaks() {
  Plot plot;
  plot.curves = {curve_of({1, 1.5, 1, 1.5, 1})};
  QCOMPARE(peaks_of(plot.curves[0], 0.0, least_rise(plot)), (Peaks{1, 3}));
  plot.curves.push_back(curve_of({0, 100, 0, 60, 0}));
  QVERIFY(peaks_of(plot.curves[0], 0.0, least_rise(plot)).empty());
  QCOMPARE(peaks_of(plot.curves[1], 0.0, least_rise(plot)), (Peaks{1, 3}));
}

void TestPlot::ranges_take_finite_numbers_and_are_never_empty() {
  Plot plot;
  QCOMPARE(y_range(plot), (PlotRange{0, 1}));
  plot.curves = {curve_of({kNaN, kInfinity, -kInfinity})};
  QCOMPARE(y_range(plot), (PlotRange{0, 1}));
  plot.curves = {curve_of({2, kInfinity, -4}), curve_of({7})};
  QCOMPARE(y_range(plot), (PlotRange{-4, 7}));
  QCOMPARE(x_range(plot), (PlotRange{0, 2}));
  plot.curves = {curve_of({8, 8})};
  QVERIFY(y_range(plot).low < 8 && y_range(plot).high > 8);
  plot.curves = {curve_of({0, 0})};
  QVERIFY(y_range(plot).low < 0 && y_range(plot).high > 0);
}

void TestPlot::numbers_have_their_unit() {
  QCOMPARE(number_with_unit(37.5, QStringLiteral("°")), QStringLiteral("37.5°"));
  QCOMPARE(number_with_unit(12, QStringLiteral("px")), QStringLiteral("12 px"));
  QCOMPARE(number_with_unit(81234567, {}), QStringLiteral("8.1235×10⁷"));
  QCOMPARE(number_with_unit(-2e-10, QStringLiteral("mm")), QStringLiteral("-2×10⁻¹⁰ mm"));
  QCOMPARE(number_with_unit(0.8234567, {}), QStringLiteral("0.82346"));
}

void TestPlot::the_table_has_every_x_once() {
  Plot plot{.x = {.title = QStringLiteral("Angle"), .unit = QStringLiteral("°")},
            .y = {},
            .curves = {curve_of({5, 6}, QStringLiteral("Run 2")),
                       curve_of({7, 8, 9}, QStringLiteral("Run 1"))}};
  plot.curves[0].x = {0, 2};
  const Table table = table_of(plot);
  QCOMPARE(table.columns, (std::vector<std::string>{"Angle (°)", "Run 2", "Run 1"}));
  QCOMPARE(table.rows.size(), std::size_t{3});
  QCOMPARE(table.rows[0], (std::vector<double>{0, 5, 7}));
  QCOMPARE(table.rows[1][0], 1.0);
  QVERIFY(std::isnan(table.rows[1][1]));
  QCOMPARE(table.rows[2], (std::vector<double>{2, 6, 9}));
}

QTEST_APPLESS_MAIN(TestPlot)
#include "test_plot.moc"
