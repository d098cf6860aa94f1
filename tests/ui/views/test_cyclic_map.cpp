// SPDX-License-Identifier: Apache-2.0
//
// Cyclic values: their colours, their opacity, and the wheel that explains the colours.
#include "ui/views/color_wheel.h"
#include "ui/views/readout.h"
#include "ui/views/slice_overlay.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace seedwave;
using namespace seedwave::ui;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

MapStyle round_style() {
  return {.colors = ColorScheme::Cyclic,
          .high = 180.0,
          .threshold = MapStyle::kAll,
          .period = 180.0,
          .faint = 10.0,
          .full = 60.0};
}

Geometry picture_grid() {
  Geometry geometry;
  geometry.size = {8, 6, 1};
  geometry.unit = LengthUnit::Pixel;
  return geometry;
}

ScalarMap angle_map(double period, const char* unit) {
  const Geometry grid = picture_grid();
  ScalarMap map{.name = "angle", .unit = unit, .period = period};
  map.volume = Volume(grid, std::vector<float>(48, 37.5F));
  return map;
}

ColorWheel wheel(const ScalarMap& map, const Geometry& grid, bool in_patient = false) {
  return {map, PlaneAxes(grid, PlaneKind::Axial, Convention::Radiological, in_patient)};
}

QRgb looked_up(const VoxelLayer& layer, std::size_t i) {
  return layer.fill.at(layer.numbers.at(i));
}

}  // namespace

class TestCyclicMap : public QObject {
  Q_OBJECT
 private slots:
  void the_end_has_the_colour_of_the_beginning();
  void opacity_goes_by_the_weight();
  void nothing_is_seen_of_what_is_no_number();
  void a_colour_is_found_where_its_value_points();
  void other_units_go_round_once();
  void a_picture_shown_turned_over_has_its_wheel_turned_over();
  void the_wheel_fades_towards_its_middle();
  void a_weight_is_full_where_few_values_exceed_it();
  void the_readout_tells_both();
};

void TestCyclicMap::the_end_has_the_colour_of_the_beginning() {
  const SliceNumbers numbers =
      level_numbers({0.0F, 180.0F, -180.0F, 179.9F, 360.0F, 90.0F, 270.0F}, round_style());
  QCOMPARE(numbers, (SliceNumbers{1, 1, 1, 1, 1, 129, 129}));
  // One step before the end is the table's last colour.
  QCOMPARE(level_numbers({180.0F * 255 / 256}, round_style()), SliceNumbers{256});
}

void TestCyclicMap::opacity_goes_by_the_weight() {
  OverlayStyle style{.kind = OverlayKind::Map, .opacity = 0.5, .map = round_style()};
  VoxelLayer layer;
  const SliceValues angles(5, 45.0F);
  layer.numbers = weighed_numbers(angles, {10.0F, 35.0F, 60.0F, 500.0F, 0.0F}, style.map);
  color_map_levels(layer, style, Weighed::Yes);
  QCOMPARE(layer.numbers[0], std::uint16_t{0});
  QCOMPARE(layer.numbers[4], std::uint16_t{0});
  // Twice the overlay's share: the weight already lets the image show through.
  QCOMPARE(qAlpha(looked_up(layer, 2)), 255);
  QCOMPARE(looked_up(layer, 3), looked_up(layer, 2));
  QVERIFY(std::abs(qAlpha(looked_up(layer, 1)) - 128) <= 1);
  const ColorTable& colors = color_table(ColorScheme::Cyclic);
  QCOMPARE(looked_up(layer, 2), colors[64]);
  style.opacity = 0.25;
  color_map_levels(layer, style, Weighed::Yes);
  QVERIFY(std::abs(qAlpha(looked_up(layer, 2)) - 128) <= 1);
  // The highest number still has its colour.
  layer.numbers = weighed_numbers({180.0F * 255 / 256}, {60.0F}, style.map);
  QCOMPARE(layer.numbers[0], std::uint16_t{255 * 256});
  QCOMPARE(layer.fill.size(), std::size_t{255 * 256 + 1});
}

void TestCyclicMap::nothing_is_seen_of_what_is_no_number() {
  QCOMPARE(weighed_numbers({kNaN, 45.0F}, {60.0F, kNaN}, round_style()), (SliceNumbers{0, 0}));
}

void TestCyclicMap::a_colour_is_found_where_its_value_points() {
  const ColorWheel angles = wheel(angle_map(180.0, "\u00b0"), picture_grid());
  QCOMPARE(angles.value_toward(1, 0), 0.0);
  QCOMPARE(angles.value_toward(1, -1), 45.0);
  QCOMPARE(angles.value_toward(0, -1), 90.0);
  QCOMPARE(angles.value_toward(-1, -1), 135.0);
  // A line has two ends.
  QCOMPARE(angles.value_toward(-1, 1), 45.0);
  QCOMPARE(angles.ticks(), (std::vector<double>{0.0, 45.0, 90.0, 135.0}));
  for (const double value : angles.ticks()) {
    const QPointF toward = angles.direction_of(value);
    QCOMPARE(std::hypot(toward.x(), toward.y()), 1.0);
    QVERIFY(std::abs(angles.value_toward(toward.x(), toward.y()) - value) < 1e-9);
  }
  QVERIFY(angles.direction_of(45).y() < 0);  // up
  // The same colours as the overlay's.
  const QImage disc = angles.picture(200, false);
  const ColorTable& colors = color_table(ColorScheme::Cyclic);
  const auto alike = [](QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) <= 3 && std::abs(qGreen(a) - qGreen(b)) <= 3 &&
           std::abs(qBlue(a) - qBlue(b)) <= 3;
  };
  QVERIFY(alike(disc.pixel(180, 100), colors[0]));
  QVERIFY(alike(disc.pixel(100, 20), colors[128]));
  QVERIFY(alike(disc.pixel(150, 49), colors[64]));
  QVERIFY(alike(disc.pixel(49, 150), colors[64]));
  QCOMPARE(qAlpha(disc.pixel(1, 1)), 0);
}

void TestCyclicMap::other_units_go_round_once() {
  const ColorWheel hours = wheel(angle_map(24.0, "h"), picture_grid());
  QCOMPARE(hours.value_toward(1, 0), 0.0);
  QCOMPARE(hours.value_toward(0, -1), 6.0);
  QCOMPARE(hours.value_toward(-1, 0), 12.0);
  QCOMPARE(hours.value_toward(0, 1), 18.0);
}

void TestCyclicMap::a_picture_shown_turned_over_has_its_wheel_turned_over() {
  // The first axis runs to the patient's right, which is left on a radiological screen.
  Geometry grid = picture_grid();
  grid.unit = LengthUnit::Millimetre;
  grid.direction = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
  const PlaneAxes axes(grid, PlaneKind::Axial, Convention::Radiological, true);
  QVERIFY(axes.right_stride() < 0);
  const ColorWheel angles(angle_map(180.0, "\u00b0"), axes);
  QCOMPARE(angles.value_toward(1, -1), 135.0);
  QCOMPARE(angles.value_toward(-1, -1), 45.0);
  QVERIFY(angles.direction_of(45).x() < 0);
}

void TestCyclicMap::the_wheel_fades_towards_its_middle() {
  const ColorWheel angles = wheel(angle_map(180.0, "\u00b0"), picture_grid());
  const QImage disc = angles.picture(200, true);
  QCOMPARE(qAlpha(disc.pixel(100, 100)), 0);
  QVERIFY(qAlpha(disc.pixel(140, 100)) > 20);
  QVERIFY(qAlpha(disc.pixel(190, 100)) > qAlpha(disc.pixel(140, 100)));
  QCOMPARE(qAlpha(angles.picture(200, false).pixel(100, 100)), 255);
}

void TestCyclicMap::a_weight_is_full_where_few_values_exceed_it() {
  Geometry grid = picture_grid();
  grid.size = {1000, 1, 1};
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(5.0F + static_cast<float>(i));
  ScalarMap response{.name = "response"};
  response.volume = Volume(grid, std::move(values));
  const auto weight = as_weight(response);
  QCOMPARE(weight->range.low, 0.0);
  QCOMPARE(weight->range.high, 994.0);
}

void TestCyclicMap::the_readout_tells_both() {
  ScalarMap map = angle_map(180.0, "\u00b0");
  QCOMPARE(readout_map(map, {2, 3, 0}), QStringLiteral("angle 37.5°"));
  ScalarMap response{.name = "response", .unit = "HU"};
  response.volume = Volume(picture_grid(), std::vector<float>(48, 84.0F));
  map.weight = as_weight(response);
  QCOMPARE(readout_map(map, {2, 3, 0}), QStringLiteral("angle 37.5°, response 84 HU"));
}

QTEST_MAIN(TestCyclicMap)
#include "test_cyclic_map.moc"
