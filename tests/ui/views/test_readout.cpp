// SPDX-License-Identifier: Apache-2.0
#include "ui/views/axis_ticks.h"
#include "ui/views/color_map.h"
#include "ui/views/readout.h"
#include "ui/views/slice_annotations.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace seedwave;
using namespace seedwave::ui;

class TestReadout : public QObject {
  Q_OBJECT
 private slots:
  void positions_name_the_side();
  void values_with_unit_and_colours();
  void label_and_strength_of_the_voxel();
  void maps_say_unit_infinity_and_nothing();
  void what_is_stored_in_mm_may_be_read_in_micrometres();
  void ticks_are_round_and_told_apart_data();
  void ticks_are_round_and_told_apart();
  void ticks_of_factors_are_ones_twos_and_fives_data();
  void ticks_of_factors_are_ones_twos_and_fives();
  void colours_of_maps_rise_in_lightness_in_even_steps();
  void outside_the_image_there_is_a_position_only();
  void zoom_is_screen_over_image();
  void scale_bars_are_round_and_fit_data();
  void scale_bars_are_round_and_fit();
  void window_numbers_have_no_false_digits();
};

void TestReadout::positions_name_the_side() {
  const Geometry geometry;
  const auto text = [&](const Vec3& world) {
    return readout_position(geometry, world, HeadFootLetters::SuperiorInferior);
  };
  QCOMPARE(text({17.6, 35.3, 12.1}), QString("L 17.6  P 35.3  S 12.1 mm"));
  QCOMPARE(text({-17.6, -35.34, -12.06}), QString("R 17.6  A 35.3  I 12.1 mm"));
  // Rounded to zero: no side is shown that does not apply.
  QCOMPARE(text({-0.04, 0.0, -0.0}), QString("L 0.0  P 0.0  S 0.0 mm"));
  QCOMPARE(readout_position(geometry, {0, 0, -3}, HeadFootLetters::HeadFoot),
           QString("L 0.0  P 0.0  F 3.0 mm"));
  Geometry picture;
  picture.size = {10, 10, 1};
  picture.unit = LengthUnit::Pixel;
  QCOMPARE(readout_position(Geometry{}, {3, 4.5, 0}, HeadFootLetters::HeadFoot, false),
           QStringLiteral("x 3.0  y 4.5 mm"));
  Geometry slide;
  slide.size = {100, 100, 1};
  slide.spacing = {0.00025, 0.00025, 1.0};
  QCOMPARE(readout_position(slide, {0.0125, 0.02, 0}, HeadFootLetters::HeadFoot, false),
           QString("x 12.5  y 20.0 µm"));
  QCOMPARE(readout_position(picture, {3, 4.5, 0}, HeadFootLetters::HeadFoot),
           QString("x 3.0  y 4.5 px"));
}

void TestReadout::values_with_unit_and_colours() {
  Geometry geometry;
  geometry.size = {2, 1, 1};
  const Volume ct(geometry, std::vector<std::int16_t>{-1000, 134});
  QCOMPARE(readout_value(ct, {1, 0, 0}, "HU"), QString("134 HU"));
  QCOMPARE(readout_value(ct, {0, 0, 0}, ""), QString("-1000"));
  const Volume map(geometry, std::vector<float>{0.125F, 2.0F});
  QCOMPARE(readout_value(map, {0, 0, 0}, ""), QString("0.125"));
  const Volume rgb(geometry, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}, 3);
  QCOMPARE(readout_value(rgb, {1, 0, 0}, ""), QString("R 4  G 5  B 6"));
}

void TestReadout::label_and_strength_of_the_voxel() {
  Geometry geometry;
  geometry.size = {3, 1, 1};
  const Volume image(geometry, std::vector<std::uint8_t>{1, 2, 3});
  const LabelMap result(geometry, std::vector<std::uint8_t>{0, 2, 9});
  const ScalarMap strength{.name = "strength",
                           .full = 4096.0,
                           .volume = Volume(geometry, std::vector<std::uint16_t>{0, 2048, 4096})};
  const std::vector<LabelStyle> labels{{2, "liver", Qt::green, 1.0, true}};
  const ReadoutSource source{image, result, strength, labels, ""};
  const auto text = [&](std::int64_t x) {
    return readout(source, {{static_cast<double>(x), 0, 0}, {x, 0, 0}},
                   HeadFootLetters::SuperiorInferior);
  };
  QCOMPARE(text(0).label, QString());
  QCOMPARE(text(1).label, QString("liver"));
  QCOMPARE(text(1).map, QString("strength 0.50"));
  QCOMPARE(text(1).index, QString("index 1, 0 (0-based)"));
  QCOMPARE(text(2).label, QString("label 9"));
  QCOMPARE(text(2).map, QString("strength 1.00"));
}

void TestReadout::maps_say_unit_infinity_and_nothing() {
  Geometry geometry;
  geometry.size = {4, 1, 1};
  ScalarMap map{.name = "nearest_cell", .unit = "mm", .none = -1.0};
  map.volume = Volume(geometry, std::vector<float>{12.5F, -1.0F, INFINITY, std::nanf("")});
  QCOMPARE(readout_map(map, {0, 0, 0}), QString("nearest cell 12.5 mm"));
  QCOMPARE(readout_map(map, {1, 0, 0}), QString("nearest cell none"));
  QCOMPARE(readout_map(map, {2, 0, 0}), QString("nearest cell ∞ mm"));
  QCOMPARE(readout_map(map, {3, 0, 0}), QString("nearest cell NaN"));
}

void TestReadout::what_is_stored_in_mm_may_be_read_in_micrometres() {
  Geometry line;
  line.size = {2, 1, 1};
  const ScalarMap map{.name = "image",
                      .unit = "µm",
                      .scale = 1000.0,
                      .volume = Volume(line, std::vector<float>{0.004F, 0.0125F})};
  QCOMPARE(readout_map(map, {1, 0, 0}), QString("image 12.5 µm"));
  QCOMPARE(map_range(map).high, 12.5);
}

void TestReadout::ticks_are_round_and_told_apart_data() {
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  QTest::addColumn<int>("most");
  QTest::addColumn<QString>("texts");
  QTest::newRow("share") << 0.0 << 1.0 << 5 << "0.0 0.2 0.4 0.6 0.8 1.0";
  QTest::newRow("millimetres") << 0.0 << 37.3 << 8 << "0 5 10 15 20 25 30 35";
  QTest::newRow("around zero") << -1.3 << 1.3 << 3 << "-1 0 1";
  QTest::newRow("small") << 0.011 << 0.0132 << 4 << "0.011 0.012 0.013";
  QTest::newRow("squared in voxels") << 0.0 << 4.1e6 << 5 << "0 1e+06 2e+06 3e+06 4e+06";
  QTest::newRow("nothing to mark") << 1.0 << 1.0 << 4 << "";
  QTest::newRow("no end") << 0.0 << static_cast<double>(INFINITY) << 4 << "";
}

void TestReadout::ticks_are_round_and_told_apart() {
  QFETCH(double, low);
  QFETCH(double, high);
  QFETCH(int, most);
  QStringList texts;
  for (const Tick& tick : round_ticks(low, high, most)) {
    QVERIFY(tick.value >= low - 1e-9 && tick.value <= high + 1e-9);
    QVERIFY(std::abs(tick.text.toDouble() - tick.value) < 1e-9 * std::max(1.0, high));
    texts << tick.text;
  }
  QTEST(texts.join(' '), "texts");
}

void TestReadout::ticks_of_factors_are_ones_twos_and_fives_data() {
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  QTest::addColumn<int>("most");
  QTest::addColumn<QString>("texts");
  QTest::newRow("two decades") << 0.0 << 2.0 << 8 << "1 2 5 10 20 50 100";
  QTest::newRow("no room but for powers") << -2.0 << 2.0 << 6 << "0.01 0.1 1 10 100";
  QTest::newRow("nor for all of them") << -4.0 << 4.0 << 5 << "0.0001 0.01 1 100 10000";
  QTest::newRow("less than a factor of two")
      << std::log10(11.0) << std::log10(17.0) << 8 << "11 12 13 14 15 16 17";
  QTest::newRow("nothing to mark") << 1.0 << 1.0 << 4 << "";
}

void TestReadout::ticks_of_factors_are_ones_twos_and_fives() {
  QFETCH(double, low);
  QFETCH(double, high);
  QFETCH(int, most);
  QStringList texts;
  for (const Tick& tick : round_log_ticks(low, high, most)) {
    QVERIFY(tick.value >= low - 1e-9 && tick.value <= high + 1e-9);
    QVERIFY(std::abs(std::log10(tick.text.toDouble()) - tick.value) < 1e-9);
    texts << tick.text;
  }
  QTEST(texts.join(' '), "texts");
}

void TestReadout::colours_of_maps_rise_in_lightness_in_even_steps() {
  // L* of CIELAB from sRGB.
  const auto lightness = [](QRgb color) {
    const auto linear = [](int channel) {
      const double c = channel / 255.0;
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double y = 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) +
                     0.0722 * linear(qBlue(color));
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
  };
  for (const ColorScheme scheme : kColorSchemes) {
    const ColorTable& colors = color_table(scheme);
    const double span = lightness(colors[255]) - lightness(colors[0]);
    QVERIFY(span > 70);
    for (std::size_t i = 0; i + 16 < colors.size(); ++i) {
      const double rise = lightness(colors[i + 16]) - lightness(colors[i]);
      // A step of a 16th, neither flat nor jumping anywhere.
      QVERIFY2(rise > 0.5 * span / 16 && rise < 1.7 * span / 16,
               qPrintable(QStringLiteral("%1 at %2: %3 of %4")
                              .arg(title_of(scheme))
                              .arg(i)
                              .arg(rise)
                              .arg(span / 16)));
    }
    QVERIFY(color_scheme_named(name_of(scheme)) == scheme);
  }
}

void TestReadout::outside_the_image_there_is_a_position_only() {
  Geometry geometry;
  geometry.size = {3, 2, 2};
  const Volume image(geometry, std::vector<std::uint8_t>(12, 1));
  const ReadoutSource source{image, {}, {}, {}, "HU"};
  const Readout text = readout(source, {{-5, 0, 0}, {-5, 0, 0}}, HeadFootLetters::SuperiorInferior);
  QCOMPARE(text.position, QString("R 5.0  P 0.0  S 0.0 mm"));
  QVERIFY(text.value.isEmpty() && text.index.isEmpty());
}

void TestReadout::zoom_is_screen_over_image() {
  // Fitting 500 pixels to 630 of the screen is not 100 %.
  QCOMPARE(zoom_text(1.26, true, {}), QStringLiteral("Zoom 126 % (fit)"));
  QCOMPARE(zoom_text(1.0, false, {}), QStringLiteral("Zoom 100 %"));
  QCOMPARE(zoom_text(0.034, true, {}), QStringLiteral("Zoom 3.4 % (fit)"));
  QCOMPARE(zoom_text(0.0042, false, {}), QStringLiteral("Zoom 0.42 %"));
  Geometry slide;
  slide.spacing = {0.0005, 0.0005, 1.0};
  QCOMPARE(zoom_text(1.0, false, slide), QStringLiteral("20×, zoom 100 %"));
  QCOMPARE(zoom_text(0.26, true, slide), QStringLiteral("5.2×, zoom 26 % (fit)"));
}

void TestReadout::scale_bars_are_round_and_fit_data() {
  QTest::addColumn<double>("pixels_a_mm");
  QTest::addColumn<QString>("text");
  QTest::newRow("50 mm") << 2.0 << "50 mm";
  QTest::newRow("exactly 100") << 1.2 << "100 mm";
  QTest::newRow("20 mm") << 5.9 << "20 mm";
  QTest::newRow("tiny") << 1000.0 << "100 µm";
}

void TestReadout::scale_bars_are_round_and_fit() {
  QFETCH(double, pixels_a_mm);
  const ScaleBar bar = scale_bar(pixels_a_mm, 120, LengthUnit::Millimetre);
  QTEST(bar.text, "text");
  QVERIFY(bar.length * pixels_a_mm <= 120 * (1 + 1e-9));
  QVERIFY(bar.length * pixels_a_mm > 120 / 2.5 - 1e-9);
  QCOMPARE(scale_bar(0, 120, LengthUnit::Millimetre).length, 0.0);
}

void TestReadout::window_numbers_have_no_false_digits() {
  QCOMPARE(window_number(-600, 1500), QString("-600"));
  QCOMPARE(window_number(-0.2, 400), QString("0"));
  QCOMPARE(window_number(0.1234, 1.0), QString("0.12"));
}

QTEST_GUILESS_MAIN(TestReadout)
#include "test_readout.moc"
