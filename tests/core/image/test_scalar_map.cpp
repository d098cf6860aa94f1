// SPDX-License-Identifier: Apache-2.0
#include "core/image/scalar_map.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace seedwave;

namespace {

Geometry line(std::int64_t count) {
  Geometry geometry;
  geometry.size = {count, 1, 1};
  return geometry;
}

ScalarMap map_of(std::vector<float> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return {.name = "image", .volume = Volume(line(count), std::move(values))};
}

}  // namespace

class TestScalarMap : public QObject {
  Q_OBJECT
 private slots:
  void shares_are_shown_as_shares() {
    ScalarMap map{.name = "strength", .full = 4096.0};
    map.volume = Volume(line(2), std::vector<std::uint16_t>{1024, 4096});
    QCOMPARE(map.shown_at({0, 0, 0}), 0.25);
    QCOMPARE(map.shown_at({1, 0, 0}), 1.0);
    // The range of a share does not depend on its values.
    QVERIFY((map_range(map) == MapRange{.low = 0.0, .high = 1.0, .zero_is_nothing = true}));
  }

  void infinities_and_nothing_do_not_stretch_the_range() {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    std::vector<float> values{kInf, -kInf, std::nanf(""), -1.0F};
    for (int i = 0; i <= 1000; ++i)
      values.push_back(5.0F + static_cast<float>(i) / 100.0F);
    ScalarMap map = map_of(std::move(values));
    map.none = -1.0;
    const MapRange range = map_range(map);
    QVERIFY(std::abs(range.low - 5.01) < 0.02);
    QVERIFY(std::abs(range.high - 14.99) < 0.02);
    QVERIFY(!range.zero_is_nothing);
    QVERIFY(std::isnan(map.shown(-1.0)));
    QVERIFY(std::isinf(map.shown(std::numeric_limits<double>::infinity())));
  }

  void a_map_of_a_few_small_objects_keeps_their_range() {
    std::vector<float> values(100'000, 0.0F);
    for (int i = 0; i < 50; ++i)  // fewer than the fraction that percentiles leave out
      values[static_cast<std::size_t>(i) * 7] = static_cast<float>(i + 1);
    const MapRange range = map_range(map_of(std::move(values)));
    QVERIFY(range.zero_is_nothing);
    QCOMPARE(range.low, 0.0);
    QVERIFY(std::abs(range.high - 50.0) <= 1.0);
  }

  void constant_and_empty_maps_have_a_range_all_the_same() {
    for (const float value : {0.0F, 7.0F, -3.0F, std::nanf("")}) {
      const MapRange range = map_range(map_of({value, value}));
      QVERIFY(range.low < range.high);
    }
  }
};

QTEST_GUILESS_MAIN(TestScalarMap)
#include "test_scalar_map.moc"
