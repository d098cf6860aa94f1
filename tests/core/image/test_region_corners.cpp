// SPDX-License-Identifier: Apache-2.0
#include "core/image/region_corners.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace seedwave;

namespace {

constexpr double kReach = 2.0;

/// A square with a hole, and a triangle beside it.
Region shapes() {
  return {.label = 3,
          .name = "biopsy",
          .polygons = {{{{0, 0}, {40, 0}, {40, 40}, {0, 40}}, {{10, 10}, {30, 10}, {30, 30}}},
                       {{{100, 0}, {130, 0}, {115, 20}}}}};
}

}  // namespace

class TestRegionCorners : public QObject {
  Q_OBJECT
 private slots:
  void corners_come_before_middles() {
    const Region region = shapes();
    QCOMPARE(*corner_near(region, {41, 1}, kReach), (RegionCorner{0, 0, 1, false}));
    QCOMPARE(*corner_near(region, {20.5, 0.5}, kReach), (RegionCorner{0, 0, 0, true}));
    QCOMPARE(*corner_near(region, {0, 20}, kReach), (RegionCorner{0, 0, 3, true}));
    QCOMPARE(*corner_near(region, {30, 11}, kReach), (RegionCorner{0, 1, 1, false}));
    QCOMPARE(*corner_near(region, {115, 21.9}, kReach), (RegionCorner{1, 0, 2, false}));
    QVERIFY(!corner_near(region, {115, 22.1}, kReach));
    QVERIFY(!corner_near(region, {10, 0}, kReach));
    QVERIFY(!corner_near(Region(), {0, 0}, kReach));
  }

  void corners_of_a_dense_ring_are_not_taken() {
    RegionRing ring;
    for (int i = 0; i < 100; ++i)
      ring.push_back({10.0 * std::cos(0.0628 * i), 10.0 * std::sin(0.0628 * i)});
    const Region circle{.polygons = {{ring}}};
    QVERIFY(!corner_near(circle, ring[7], kReach));
    QCOMPARE(*corner_near(circle, ring[7], 0.1), (RegionCorner{0, 0, 7, false}));
  }

  void a_corner_moves() {
    const Region region = shapes();
    const auto moved = with_corner_at(region, {0, 0, 2, false}, {50, 60}, kReach);
    Region expected = region;
    expected.polygons[0][0][2] = {50, 60};
    QCOMPARE(*moved, expected);
  }

  void an_edge_gets_a_corner() {
    const Region region = shapes();
    Region expected = region;
    expected.polygons[0][0] = {{0, 0}, {40, 0}, {40, 40}, {20, 55}, {0, 40}};
    QCOMPARE(*with_corner_at(region, {0, 0, 2, true}, {20, 55}, kReach), expected);
    // The last edge leads back to the first corner.
    expected.polygons[0][0] = {{0, 0}, {40, 0}, {40, 40}, {0, 40}, {-9, 20}};
    QCOMPARE(*with_corner_at(region, {0, 0, 3, true}, {-9, 20}, kReach), expected);
  }

  void a_corner_on_its_neighbour_goes() {
    const Region region = shapes();
    Region expected = region;
    expected.polygons[0][0] = {{0, 0}, {40, 0}, {0, 40}};
    QCOMPARE(*with_corner_at(region, {0, 0, 2, false}, {39, 1}, kReach), expected);
    QCOMPARE(*with_corner_at(region, {0, 0, 2, false}, {1, 39.5}, kReach), expected);
    // Not one of three: they would enclose nothing.
    const auto kept = with_corner_at(region, {1, 0, 2, false}, {101, 0}, kReach);
    QCOMPARE(kept->polygons[1][0].size(), std::size_t{3});
    // A new corner that is brought back was none.
    QCOMPARE(*with_corner_at(region, {0, 0, 0, true}, {1, 0}, kReach), region);
  }

  void whatever_is_found_can_be_moved() {
    test::RandomNumbers random(3);
    for (int number = 0; number < 2000; ++number) {
      Region region;
      for (std::int64_t polygon = random.below(3); polygon >= 0; --polygon) {
        RegionPolygon rings(static_cast<std::size_t>(1 + random.below(2)));
        for (RegionRing& ring : rings) {
          for (std::int64_t corner = 3 + random.below(6); corner > 0; --corner) {
            ring.push_back(
                {static_cast<double>(random.below(40)), static_cast<double>(random.below(40))});
          }
        }
        region.polygons.push_back(rings);
      }
      const RegionPoint at{static_cast<double>(random.below(40)),
                           static_cast<double>(random.below(40))};
      const auto corner = corner_near(region, at, kReach);
      if (!corner) continue;
      const RegionRing& ring = region.polygons[corner->polygon][corner->ring];
      const RegionPoint& first = ring[corner->corner];
      const RegionPoint& next = ring[(corner->corner + 1) % ring.size()];
      const RegionPoint place =
          corner->is_new ? RegionPoint{(first[0] + next[0]) / 2, (first[1] + next[1]) / 2} : first;
      QVERIFY(std::hypot(place[0] - at[0], place[1] - at[1]) <= kReach);
      const auto moved = with_corner_at(region, *corner, {1000, 1000}, kReach);
      const RegionRing& now = moved->polygons[corner->polygon][corner->ring];
      QCOMPARE(now.size(), ring.size() + (corner->is_new ? 1 : 0));
      QCOMPARE(now[corner->corner + (corner->is_new ? 1 : 0)], (RegionPoint{1000, 1000}));
    }
  }
};

QTEST_GUILESS_MAIN(TestRegionCorners)
#include "test_region_corners.moc"
