// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/made_up_operations.h"
#include "ui/models/drawn_line.h"

#include <QTest>

#include <cmath>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

Geometry grid(const Index3& size, const Vec3& spacing, LengthUnit unit) {
  Geometry geometry;
  geometry.size = size;
  geometry.spacing = spacing;
  geometry.unit = unit;
  return geometry;
}

const Geometry kPicture = grid({200, 100, 1}, {1, 1, 1}, LengthUnit::Pixel);
/// Pixels a quarter of a micrometre wide and half of one high.
const Geometry kSlide = grid({200, 100, 1}, {0.00025, 0.0005, 1}, LengthUnit::Millimetre);
const Geometry kVolume = grid({60, 50, 40}, {1.0, 1.0, 2.0}, LengthUnit::Millimetre);

NumberDomain& numbers_of(Parameter& parameter) {
  return std::get<NumberDomain>(parameter.domain);
}

/// The line knows none of the program's names. Its numbers have bounds and steps to observe.
Operation made_up() {
  Operation operation = test::struck_operation();
  for (Parameter& parameter : operation.parameters) {
    if (parameter.id == "slope") {
      parameter.initial = 20.0;
      numbers_of(parameter).step = 0.5;
    }
    if (parameter.id != "span") continue;
    parameter.initial = 30.0;
    numbers_of(parameter).low = 2.0;
    numbers_of(parameter).high = 90.0;
    parameter.role = DrawnLength{.counted = [](const Values& values) {
      return values.has("ruled") ? LineCount::Ruler : LineCount::Voxels;
    }};
  }
  return operation;
}

Values ruled() {
  Values values;
  values.set("ruled", 1.0);
  return values;
}

GridLine line_to(double x, double y, double z = 0.0) {
  return {{50, 50, 10}, {50 + x, 50 + y, 10 + z}};
}

bool near(const Vec3& a, const Vec3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 1e-9;
}

}  // namespace

class TestDrawnLine : public QObject {
  Q_OBJECT
 private slots:
  void angles_rise_counter_clockwise_while_rows_run_down_data();
  void angles_rise_counter_clockwise_while_rows_run_down();
  void pixels_that_are_no_squares_count_as_squares();
  void lengths_are_counted_as_the_values_say();
  void values_stay_in_their_ranges();
  void a_direction_is_one_of_lengths();
  void values_lead_back_to_the_line();
  void what_no_value_says_is_as_drawn();
  void the_text_says_values_and_lengths();
  void snapping_turns_by_fifteen_degrees();
  void every_operation_on_lines_takes_one();

 private:
  Operation operation_ = made_up();
};

void TestDrawnLine::angles_rise_counter_clockwise_while_rows_run_down_data() {
  QTest::addColumn<double>("x");
  QTest::addColumn<double>("y");
  QTest::addColumn<double>("angle");
  QTest::newRow("right") << 10.0 << 0.0 << 0.0;
  QTest::newRow("left") << -10.0 << 0.0 << 0.0;
  QTest::newRow("up") << 0.0 << -10.0 << 90.0;
  QTest::newRow("down") << 0.0 << 10.0 << 90.0;
  QTest::newRow("right and up") << 10.0 << -10.0 << 45.0;
  QTest::newRow("left and down") << -10.0 << 10.0 << 45.0;
  QTest::newRow("right and down") << 10.0 << 10.0 << 135.0;
  QTest::newRow("in steps") << 40.0 << -30.0 << 37.0;  // 36.87
  QTest::newRow("nearly level from below") << 1000.0 << 1.0 << 0.0;
}

void TestDrawnLine::angles_rise_counter_clockwise_while_rows_run_down() {
  QFETCH(double, x);
  QFETCH(double, y);
  const LineParameters parameters(operation_, kPicture);
  QTEST(parameters.values_of(line_to(x, y), {}).number("slope"), "angle");
}

void TestDrawnLine::pixels_that_are_no_squares_count_as_squares() {
  // On the screen it is steeper, because pixels are twice as high as wide; the opening counts
  // pixels.
  const LineParameters parameters(operation_, kSlide);
  const Values values = parameters.values_of(line_to(20, -20), {});
  QCOMPARE(values.number("slope"), 45.0);
  QCOMPARE(values.number("span"), 20.0);
  QCOMPARE(parameters.text_of(values, {20, -20, 0}), QStringLiteral("45°, 20 px (11.2 µm)"));
}

void TestDrawnLine::lengths_are_counted_as_the_values_say() {
  const LineParameters flat(operation_, kSlide);
  QCOMPARE(flat.values_of(line_to(30, -40), {}).number("span"), 40.0);
  QCOMPARE(flat.values_of(line_to(30, -40), ruled()).number("span"), 50.0);
  const LineParameters solid(operation_, kVolume);
  QCOMPARE(solid.values_of(line_to(3, 0, 20), {}).number("span"), 20.0);
  QCOMPARE(solid.values_of(line_to(0, 30, 20), ruled()).number("span"), 50.0);  // mm
}

void TestDrawnLine::values_stay_in_their_ranges() {
  const LineParameters parameters(operation_, kPicture);
  QCOMPARE(parameters.values_of(line_to(0.4, 0), {}).number("span"), 2.0);
  QCOMPARE(parameters.values_of(line_to(500, 0), {}).number("span"), 90.0);
  QVERIFY(parameters.values_of(line_to(0, 0), {}) == Values());
  numbers_of(operation_.parameters[0]).step = 0.1;
  QCOMPARE(LineParameters(operation_, kPicture).values_of(line_to(40, -30), {}).number("slope"),
           36.9);
  // A range other than 0 to 180 has another name for the same line.
  numbers_of(operation_.parameters[0]).low = -90.0;
  numbers_of(operation_.parameters[0]).high = 90.0;
  const LineParameters turned(operation_, kPicture);
  QCOMPARE(turned.values_of(line_to(10, 10), {}).number("slope"), -45.0);
  operation_ = made_up();
}

void TestDrawnLine::a_direction_is_one_of_lengths() {
  const LineParameters parameters(operation_, kVolume);
  QCOMPARE(parameters.titles(), (QStringList{QStringLiteral("Way"), QStringLiteral("Span")}));
  // The same millimetres along z are half as many slices.
  QCOMPARE(parameters.values_of(line_to(6, 0, 4), {}).word("way"), std::string("0.6,0,0.8"));
  QCOMPARE(parameters.values_of(line_to(0, -7, 0), {}).word("way"), std::string("0,-1,0"));
  // As short as it can be typed.
  QCOMPARE(parameters.values_of(line_to(11, -6, 0), {}).word("way"), std::string("0.878,-0.479,0"));
}

void TestDrawnLine::values_lead_back_to_the_line() {
  for (const Geometry& geometry : {kPicture, kSlide, kVolume}) {
    const LineParameters parameters(operation_, geometry);
    for (const Values& how : {Values(), ruled()}) {
      const GridLine line = geometry.is_2d() ? line_to(20, -20) : line_to(12, 0, 8);
      Values values = parameters.values_of(line, how);
      for (const auto& [id, value] : how)
        values.set(id, value);
      const Vec3 extent = parameters.extent_of(values, line.extent());
      QVERIFY(std::hypot(extent[0] - line.extent()[0], extent[1] - line.extent()[1],
                         extent[2] - line.extent()[2]) < 0.6);  // whole lengths
      // And as it was drawn, not reversed.
      const Vec3 back =
          parameters.extent_of(values, {-line.extent()[0], -line.extent()[1], -line.extent()[2]});
      QVERIFY(near(back, {-extent[0], -extent[1], -extent[2]}));
    }
  }
}

void TestDrawnLine::what_no_value_says_is_as_drawn() {
  Operation lengths = made_up();
  lengths.parameters.erase(lengths.parameters.begin(), lengths.parameters.begin() + 2);
  const LineParameters only_length(lengths, kPicture);
  Values set;
  set.set("span", 50.0);
  QVERIFY(near(only_length.extent_of(set, {0, -10, 0}), {0, -50, 0}));
  QVERIFY(near(only_length.extent_of(set, {0, 0, 0}), {50, 0, 0}));
  Operation angles = made_up();
  angles.parameters.resize(1);
  const LineParameters only_angle(angles, kPicture);
  set = Values();
  set.set("slope", 90.0);
  QVERIFY(near(only_angle.extent_of(set, {3, -4, 0}), {0, -5, 0}));
  QVERIFY(only_angle.extent_of(set, {0, 0, 0})[1] < -20.0);
  QVERIFY(!LineParameters(Operation(), kPicture).any());
  QVERIFY(!LineParameters(angles, kVolume).any());  // angles are for 2-D images
}

void TestDrawnLine::the_text_says_values_and_lengths() {
  Values set;
  set.set("slope", 37.5);
  const LineParameters flat(operation_, kPicture);
  QCOMPARE(flat.text_of(set, {41, -20, 0}), QStringLiteral("37.5°, 41 px"));
  const LineParameters solid(operation_, kVolume);
  set.set("way", "0.6,0,0.8");
  QCOMPARE(solid.text_of(set, {12, 0, 8}), QStringLiteral("(0.6, 0, 0.8), 12 voxels (20 mm)"));
  set.set("ruled", 1.0);
  QCOMPARE(solid.text_of(set, {12, 0, 8}), QStringLiteral("(0.6, 0, 0.8), 20 mm"));
}

void TestDrawnLine::snapping_turns_by_fifteen_degrees() {
  const LineParameters flat(operation_, kSlide);
  const GridLine turned = snapped(line_to(50, -24), kSlide, 2);  // 25.6 degrees
  QCOMPARE(flat.values_of(turned, {}).number("slope"), 30.0);
  QVERIFY(std::abs(std::hypot(turned.extent()[0], turned.extent()[1]) - std::hypot(50, 24)) < 1e-9);
  QVERIFY(turned.from == line_to(0, 0).from);
  // By lengths if these count, and only within the plane.
  const GridLine steep = snapped(line_to(10, 3, 4.8), kVolume, 1);
  QVERIFY(near({steep.extent()[0], 0, 2.0 * steep.extent()[2]},
               {std::hypot(10, 9.6) / std::sqrt(2.0), 0, std::hypot(10, 9.6) / std::sqrt(2.0)}));
  QCOMPARE(steep.extent()[1], 3.0);
}

void TestDrawnLine::every_operation_on_lines_takes_one() {
  // The program's operations with a length, and no others.
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations()) {
    const bool has_line = std::any_of(operation.parameters.begin(), operation.parameters.end(),
                                      [](const Parameter& each) {
                                        return each.role_as<DrawnAngle>() != nullptr ||
                                               each.role_as<DrawnDirection>() != nullptr ||
                                               each.role_as<DrawnLength>() != nullptr;
                                      });
    const bool opens_by_lines = operation.find_parameter("length") != nullptr ||
                                operation.find_parameter("longest") != nullptr;
    QVERIFY2(has_line == opens_by_lines, operation.id.c_str());
    QCOMPARE(LineParameters(operation, kPicture).any(), has_line);
  }
}

QTEST_APPLESS_MAIN(TestDrawnLine)
#include "test_drawn_line.moc"
