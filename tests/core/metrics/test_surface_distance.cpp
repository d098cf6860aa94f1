// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/surface_distance.h"
#include "tests/core/metrics/metric_pairs.h"

#include <QTest>

#include <cmath>

using namespace seedwave;

namespace {

bool near(double number, double expected) {
  return std::abs(number - expected) < 1e-9;
}

}  // namespace

class TestSurfaceDistance : public QObject {
  Q_OBJECT
 private slots:
  void agrees_with_other_libraries_data();
  void agrees_with_other_libraries();
  void a_percentile_lies_between_order_statistics();
  void is_zero_for_the_same_shape();
  void is_undefined_where_one_lacks_the_label();
  void does_not_depend_on_the_grid_around();
  void a_slice_of_a_volume_has_six_neighbours();
};

void TestSurfaceDistance::agrees_with_other_libraries_data() {
  QTest::addColumn<int>("pair");
  const auto pairs = test::metric_pairs();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    QTest::newRow(pairs[i].name.c_str()) << static_cast<int>(i);
}

void TestSurfaceDistance::agrees_with_other_libraries() {
  QFETCH(int, pair);
  const test::MetricPair expected = test::metric_pairs()[pair];
  Context context;
  const auto distances = surface_distances(expected.result, expected.reference, 1, context);
  QVERIFY(distances.has_value());
  QVERIFY(near(distances->hd, expected.hd));
  QVERIFY(near(distances->hd95, expected.hd95));
  QVERIFY(near(distances->hd95_pooled, expected.hd95_pooled));
  QVERIFY(near(distances->assd, expected.assd));
  QVERIFY(near(distances->masd, expected.masd));
  // The result does not depend on which of the two is the reference.
  const auto swapped = surface_distances(expected.reference, expected.result, 1, context);
  QCOMPARE(swapped->hd95, distances->hd95);
  QVERIFY(near(swapped->assd, distances->assd));
}

void TestSurfaceDistance::a_percentile_lies_between_order_statistics() {
  // Single pixels 0, 2, 4, 6 and 8 away from the reference's only one. The 95th percentile of the
  // five sorted distances is at index 0.95 * 4 = 3.8. That of all six (0 in the opposite direction)
  // is at 4.75.
  Geometry geometry;
  geometry.size = {9, 1, 1};
  geometry.spacing = {1.0, 1.0, 1.0};
  const LabelMap result = test::shape(geometry, [](auto x, auto, auto) { return x % 2 == 0; });
  const LabelMap reference = test::shape(geometry, [](auto x, auto, auto) { return x == 0; });
  Context context;
  const auto distances = surface_distances(result, reference, 1, context);
  QCOMPARE(distances->hd, 8.0);
  QVERIFY(near(distances->hd95, 6.0 + 0.8 * 2.0));
  QVERIFY(near(distances->hd95_pooled, 6.0 + 0.75 * 2.0));
}

void TestSurfaceDistance::is_zero_for_the_same_shape() {
  Context context;
  const LabelMap map = test::metric_pairs()[0].result;
  const auto distances = surface_distances(map, map, 1, context);
  QCOMPARE(distances->hd, 0.0);
  QCOMPARE(distances->assd, 0.0);
}

void TestSurfaceDistance::is_undefined_where_one_lacks_the_label() {
  Context context;
  const LabelMap map = test::metric_pairs()[0].result;
  QVERIFY(!surface_distances(map, map, 2, context));
  const LabelMap empty = test::shape(map.geometry(), [](auto, auto, auto) { return false; });
  QVERIFY(!surface_distances(map, empty, 1, context));
  QVERIFY(!surface_distances(empty, map, 1, context));
}

void TestSurfaceDistance::does_not_depend_on_the_grid_around() {
  Context context;
  const auto inside = [](std::int64_t shift) {
    return [shift](std::int64_t x, std::int64_t y, std::int64_t z) {
      return x - shift >= 0 && x - shift < 5 && y - shift >= 0 && y - shift < 4 && z - shift >= 0 &&
             z - shift < 3;
    };
  };
  Geometry tight;
  tight.size = {5, 4, 3};
  Geometry wide;
  wide.size = {11, 10, 9};
  const auto at_the_edge = [](auto x, auto, auto) { return x == 4; };
  const auto in_the_middle = [](auto x, auto y, auto z) {
    return x == 7 && y >= 3 && y < 7 && z >= 3 && z < 6;
  };
  const auto a =
      surface_distances(test::shape(tight, inside(0)), test::shape(tight, at_the_edge), 1, context);
  const auto b =
      surface_distances(test::shape(wide, inside(3)), test::shape(wide, in_the_middle), 1, context);
  QCOMPARE(a->assd, b->assd);
  QCOMPARE(a->hd, b->hd);
}

void TestSurfaceDistance::a_slice_of_a_volume_has_six_neighbours() {
  // All of a plate one slice thick is surface, including its middle. A plate with a hole in the
  // middle is therefore nowhere farther than the hole's rim.
  Geometry geometry;
  geometry.size = {9, 9, 3};
  const LabelMap plate = test::shape(geometry, [](auto, auto, auto z) { return z == 1; });
  const LabelMap ring =
      test::shape(geometry, [](auto x, auto y, auto z) { return z == 1 && !(x == 4 && y == 4); });
  Context context;
  const auto distances = surface_distances(plate, ring, 1, context);
  QCOMPARE(distances->hd, 1.0);
  QVERIFY(near(distances->assd, 1.0 / (81 + 80)));
}

QTEST_GUILESS_MAIN(TestSurfaceDistance)
#include "test_surface_distance.moc"
