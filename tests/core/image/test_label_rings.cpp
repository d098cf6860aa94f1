// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_rings.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

using Numbers = std::vector<std::uint8_t>;

LabelMap map_of(std::int64_t width, std::int64_t height, Numbers numbers) {
  Geometry grid;
  grid.size = {width, height, 1};
  grid.unit = LengthUnit::Pixel;
  return {grid, std::move(numbers)};
}

std::vector<LabelRegion> regions_of(const LabelMap& labels) {
  return seedwave::regions_of(labels, [] {});
}

/// Twice the area that a ring encloses; positive if it runs clockwise on the screen.
std::int64_t area_of(const Ring& ring) {
  std::int64_t area = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& a = ring[i];
    const auto& b = ring[(i + 1) % ring.size()];
    area += a[0] * b[1] - b[0] * a[1];
  }
  return area;
}

/// Returns whether a ring encloses the middle of a pixel.
bool encloses(const Ring& ring, std::int64_t x, std::int64_t y) {
  bool inside = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const auto& a = ring[i];
    const auto& b = ring[(i + 1) % ring.size()];
    if ((a[1] <= y) != (b[1] <= y) && a[0] <= x) inside = !inside;
  }
  return inside;
}

/// Returns whether a ring passes each lattice point once, with its edges along the axes.
bool is_simple(const Ring& ring) {
  std::set<std::array<std::int64_t, 2>> passed;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    std::array<std::int64_t, 2> at = ring[i];
    const auto& end = ring[(i + 1) % ring.size()];
    if ((at[0] == end[0]) == (at[1] == end[1])) return false;
    while (at != end) {
      if (!passed.insert(at).second) return false;
      for (std::size_t axis = 0; axis < 2; ++axis)
        at[axis] += (end[axis] > at[axis]) - (end[axis] < at[axis]);
    }
  }
  return ring.size() >= 4;
}

/// The pixels that hang together with one by their sides, by a search.
std::set<std::int64_t> flooded(const LabelMap& labels, std::int64_t from) {
  const std::int64_t width = labels.geometry().size[0];
  const std::int64_t height = labels.geometry().size[1];
  const Label label = labels.labels()[static_cast<std::size_t>(from)];
  std::set<std::int64_t> found{from};
  std::vector<std::int64_t> waiting{from};
  while (!waiting.empty()) {
    const std::int64_t at = waiting.back();
    waiting.pop_back();
    const std::int64_t x = at % width;
    const std::int64_t y = at / width;
    for (const auto& [nx, ny] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
      if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
      const std::int64_t next = ny * width + nx;
      if (labels.labels()[static_cast<std::size_t>(next)] != label) continue;
      if (found.insert(next).second) waiting.push_back(next);
    }
  }
  return found;
}

}  // namespace

class TestLabelRings : public QObject {
  Q_OBJECT
 private slots:
  void a_pixel_is_a_square() {
    const auto regions = regions_of(map_of(3, 2, {0, 0, 0, 0, 7, 0}));
    QCOMPARE(regions.size(), std::size_t{1});
    QCOMPARE(regions[0].label, Label{7});
    QCOMPARE(regions[0].outer, (Ring{{2, 1}, {2, 2}, {1, 2}, {1, 1}}));
    QVERIFY(regions[0].holes.empty());
  }

  void pixels_that_meet_in_a_corner_are_two_regions() {
    const auto regions = regions_of(map_of(2, 2, {1, 0, 0, 1}));
    QCOMPARE(regions.size(), std::size_t{2});
    QVERIFY(is_simple(regions[0].outer) && is_simple(regions[1].outer));
  }

  void a_hole_that_meets_the_outside_in_a_corner_stays_a_hole() {
    // The hole at (1, 1) meets the background at (2, 2) in a corner.
    const auto regions = regions_of(map_of(3, 3, {1, 1, 1, 1, 0, 1, 1, 1, 0}));
    QCOMPARE(regions.size(), std::size_t{1});
    QCOMPARE(regions[0].holes.size(), std::size_t{1});
    QVERIFY(is_simple(regions[0].outer) && is_simple(regions[0].holes[0]));
  }

  void random_regions_have_simple_rings_that_enclose_them() {
    test::RandomNumbers random(11);
    for (int number = 0; number < 3000; ++number) {
      const std::int64_t width = 1 + random.below(9);
      const std::int64_t height = 1 + random.below(9);
      const int labels = 1 + static_cast<int>(random.below(3));
      Numbers numbers(static_cast<std::size_t>(width * height));
      for (std::uint8_t& value : numbers)
        value = static_cast<std::uint8_t>(random.below(labels + 1));
      const LabelMap map = map_of(width, height, numbers);
      const auto regions = regions_of(map);
      std::int64_t before = -1;
      std::size_t labelled = 0;
      for (const LabelRegion& region : regions) {
        QVERIFY(is_simple(region.outer));
        QVERIFY(area_of(region.outer) > 0);
        for (const Ring& hole : region.holes) {
          QVERIFY(is_simple(hole));
          QVERIFY(area_of(hole) < 0);
        }
        std::set<std::int64_t> inside;
        for (std::int64_t y = 0; y < height; ++y) {
          for (std::int64_t x = 0; x < width; ++x) {
            bool in = encloses(region.outer, x, y);
            for (const Ring& hole : region.holes)
              in = in && !encloses(hole, x, y);
            if (in) inside.insert(y * width + x);
          }
        }
        QVERIFY(!inside.empty());
        // In the order of their first pixels.
        QVERIFY(*inside.begin() > before);
        before = *inside.begin();
        QCOMPARE(map.labels()[static_cast<std::size_t>(before)], region.label);
        QVERIFY(inside == flooded(map, before));
        labelled += inside.size();
      }
      QCOMPARE(labelled, static_cast<std::size_t>(std::ranges::count_if(
                             numbers, [](std::uint8_t value) { return value != 0; })));
    }
  }
};

QTEST_GUILESS_MAIN(TestLabelRings)
#include "test_label_rings.moc"
