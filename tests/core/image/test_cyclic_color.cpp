// SPDX-License-Identifier: Apache-2.0
#include "core/image/cie_lab.h"
#include "core/image/cyclic_color.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace seedwave;

class TestCyclicColor : public QObject {
  Q_OBJECT
 private slots:
  void lab_is_that_of_known_colours();
  void lab_leads_back_to_the_colour();
  void it_closes();
  void each_step_is_as_large_as_any_other();
  void sRGB_holds_it();
  void opposite_values_are_told_apart();
};

void TestCyclicColor::lab_is_that_of_known_colours() {
  // By scikit-image's rgb2lab, D65.
  const auto near = [](const Rgb& rgb, const Lab& expected) {
    return lab_distance(to_lab(rgb), expected) < 0.05;
  };
  QVERIFY(near({255, 255, 255}, {100.0, 0.0, 0.0}));
  QVERIFY(near({255, 0, 0}, {53.24, 80.09, 67.20}));
  QVERIFY(near({30, 60, 90}, {24.47, -0.57, -21.30}));
}

void TestCyclicColor::lab_leads_back_to_the_colour() {
  for (int i = 0; i < 512; ++i) {
    const auto byte = [i](int factor) { return static_cast<std::uint8_t>(i * factor % 256); };
    const Rgb rgb{byte(7), byte(11), byte(29)};
    QCOMPARE(to_rgb(to_lab(rgb)), rgb);
  }
}

void TestCyclicColor::it_closes() {
  QCOMPARE(cyclic_color(1.0), cyclic_color(0.0));
  QCOMPARE(cyclic_color(-0.25), cyclic_color(0.75));
  QVERIFY(lab_distance(to_lab(cyclic_color(0.999)), to_lab(cyclic_color(0.0))) < 1.5);
}

void TestCyclicColor::each_step_is_as_large_as_any_other() {
  constexpr int kSteps = 18;
  double least = 1e9;
  double most = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double step = lab_distance(to_lab(cyclic_color(i / static_cast<double>(kSteps))),
                                     to_lab(cyclic_color((i + 1) / static_cast<double>(kSteps))));
    least = std::min(least, step);
    most = std::max(most, step);
  }
  // Only rounding to bytes is lost, 0.6 at either end: a chord of a circle of 58 is 20.14 long.
  QVERIFY2(least > 18.9 && most < 21.4, qPrintable(QStringLiteral("%1 %2").arg(least).arg(most)));
}

void TestCyclicColor::sRGB_holds_it() {
  // A colour outside sRGB would have been clipped and would lie off the circle.
  for (int i = 0; i < 720; ++i) {
    const Lab lab = to_lab(cyclic_color(i / 720.0));
    QVERIFY(lab[0] > 57.0 && lab[0] < 77.0);
    QVERIFY(std::abs(lab_distance(lab, {67.0, 13.5, 11.5}) - 58.0) < 0.6);
  }
}

void TestCyclicColor::opposite_values_are_told_apart() {
  for (int i = 0; i < 180; ++i) {
    const double distance =
        lab_distance(to_lab(cyclic_color(i / 360.0)), to_lab(cyclic_color(i / 360.0 + 0.5)));
    QVERIFY(distance > 115.0);
  }
}

QTEST_APPLESS_MAIN(TestCyclicColor)
#include "test_cyclic_color.moc"
