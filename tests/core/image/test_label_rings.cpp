// SPDX-License-Identifier: Apache-2.0
#include "core/image/label_rings.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstddef>
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

/// Twice the area of a triangle, positive if it runs clockwise on the screen.
std::int64_t turn(const std::array<std::int64_t, 2>& a, const std::array<std::int64_t, 2>& b,
                  const std::array<std::int64_t, 2>& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Returns whether two segments share a point.
bool meet(const std::array<std::int64_t, 2>& a, const std::array<std::int64_t, 2>& b,
          const std::array<std::int64_t, 2>& c, const std::array<std::int64_t, 2>& d) {
  const auto sign = [](std::int64_t number) { return (number > 0) - (number < 0); };
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (std::max(a[axis], b[axis]) < std::min(c[axis], d[axis]) ||
        std::max(c[axis], d[axis]) < std::min(a[axis], b[axis]))
      return false;
  }
  return sign(turn(a, b, c)) * sign(turn(a, b, d)) <= 0 &&
         sign(turn(c, d, a)) * sign(turn(c, d, b)) <= 0;
}

/// Returns whether no ring meets itself or another one, but for neighbouring sides.
bool are_apart(const std::vector<Ring>& rings) {
  struct Side {
    std::size_t ring;
    std::size_t place;
  };
  std::vector<Side> sides;
  for (std::size_t ring = 0; ring < rings.size(); ++ring) {
    for (std::size_t place = 0; place < rings[ring].size(); ++place)
      sides.push_back({ring, place});
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t j = i + 1; j < sides.size(); ++j) {
      const Ring& one = rings[sides[i].ring];
      const Ring& other = rings[sides[j].ring];
      const std::size_t apart = sides[j].place - sides[i].place;
      const bool are_neighbours =
          sides[i].ring == sides[j].ring && (apart == 1 || apart + 1 == one.size());
      if (!are_neighbours &&
          meet(one[sides[i].place], one[(sides[i].place + 1) % one.size()], other[sides[j].place],
               other[(sides[j].place + 1) % other.size()]))
        return false;
    }
  }
  return true;
}

/// Returns whether rings enclose a point that lies on none, by the even-odd rule. Rings are in
/// halves of a pixel, the point in twelfths.
bool enclose(const std::vector<Ring>& rings, const std::array<std::int64_t, 2>& point) {
  bool inside = false;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      std::array<std::int64_t, 2> low{6 * ring[i][0], 6 * ring[i][1]};
      const auto& next = ring[(i + 1) % ring.size()];
      std::array<std::int64_t, 2> high{6 * next[0], 6 * next[1]};
      if (low[1] > high[1]) std::swap(low, high);
      if (low[1] > point[1] || high[1] <= point[1]) continue;
      if (turn(low, high, point) < 0) inside = !inside;
    }
  }
  return inside;
}

/// The regions of an image with rings through midpoints, and the region of each pixel.
struct MidpointRegions {
  std::vector<std::vector<Ring>> rings;
  std::vector<int> of_pixel;  // -1: none
  std::int64_t width;
  std::int64_t height;

  explicit MidpointRegions(const LabelMap& map)
      : of_pixel(map.labels().size(), -1),
        width(map.geometry().size[0]),
        height(map.geometry().size[1]) {
    for (const LabelRegion& region : regions_of(map)) {
      std::vector<Ring> all{midpoint_ring(region.outer)};
      for (const Ring& hole : region.holes)
        all.push_back(midpoint_ring(hole));
      rings.push_back(all);
    }
    int count = 0;
    for (std::int64_t at = 0; at < width * height; ++at) {
      const auto place = static_cast<std::size_t>(at);
      if (map.labels()[place] == 0 || of_pixel[place] >= 0) continue;
      for (const std::int64_t pixel : flooded(map, at))
        of_pixel[static_cast<std::size_t>(pixel)] = count;
      ++count;
    }
  }
  [[nodiscard]] bool has(int region, std::int64_t x, std::int64_t y) const {
    return x >= 0 && y >= 0 && x < width && y < height &&
           of_pixel[static_cast<std::size_t>(y * width + x)] == region;
  }
  /// Returns whether the corner of a pixel towards (dx, dy), a triangle between the corner and the
  /// middles of both edges, belongs to a region: of the four pixels around the corner it has this
  /// one and another one, or both pixels beside it.
  [[nodiscard]] bool has_corner(int region, std::int64_t x, std::int64_t y, int dx, int dy) const {
    const bool beside = has(region, x + dx, y);
    const bool below = has(region, x, y + dy);
    if (has(region, x, y)) return beside || below || has(region, x + dx, y + dy);
    return beside && below;
  }
};

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

  void midpoints_cut_corners() {
    const auto regions = regions_of(map_of(3, 2, {0, 0, 0, 0, 7, 0}));
    QCOMPARE(midpoint_ring(regions[0].outer), (Ring{{4, 3}, {3, 4}, {2, 3}, {3, 2}}));
    // Stairs are a slope.
    const auto stairs = regions_of(map_of(3, 3, {1, 0, 0, 1, 1, 0, 1, 1, 1}));
    QCOMPARE(midpoint_ring(stairs[0].outer),
             (Ring{{6, 5}, {5, 6}, {1, 6}, {0, 5}, {0, 1}, {1, 0}}));
  }

  /// Against their definition, piece by piece: half of each pixel around its centre, and four
  /// corners of an eighth.
  void random_midpoint_rings_divide_pixels_as_defined() {
    test::RandomNumbers random(12);
    for (int number = 0; number < 3000; ++number) {
      const std::int64_t width = 1 + random.below(8);
      const std::int64_t height = 1 + random.below(8);
      const int labels = 1 + static_cast<int>(random.below(3));
      Numbers numbers(static_cast<std::size_t>(width * height));
      for (std::uint8_t& value : numbers)
        value = static_cast<std::uint8_t>(random.below(labels + 1));
      const MidpointRegions all(map_of(width, height, numbers));
      std::vector<int> owners(static_cast<std::size_t>(4 * (width + 2) * (height + 2)));
      for (int region = 0; region < static_cast<int>(all.rings.size()); ++region) {
        const std::vector<Ring>& rings = all.rings[static_cast<std::size_t>(region)];
        QVERIFY(are_apart(rings));
        std::int64_t eighths = 0;
        // Corners of pixels outside the image, too.
        for (std::int64_t y = -1; y <= height; ++y) {
          for (std::int64_t x = -1; x <= width; ++x) {
            const bool has = all.has(region, x, y);
            QCOMPARE(enclose(rings, {12 * x + 6, 12 * y + 6}), has);
            eighths += has ? 4 : 0;
            for (int corner = 0; corner < 4; ++corner) {
              const int dx = corner % 2 == 0 ? -1 : 1;
              const int dy = corner < 2 ? -1 : 1;
              const bool has_corner = all.has_corner(region, x, y, dx, dy);
              QCOMPARE(enclose(rings, {12 * x + 6 + 4 * dx, 12 * y + 6 + 4 * dy}), has_corner);
              eighths += has_corner ? 1 : 0;
              owners[static_cast<std::size_t>(4 * ((y + 1) * (width + 2) + x + 1) + corner)] +=
                  has_corner ? 1 : 0;
            }
          }
        }
        std::int64_t area = 0;  // twice, in quarters of a pixel: eighths
        for (const Ring& ring : rings)
          area += area_of(ring);
        QCOMPARE(area, eighths);
      }
      // No corner belongs to two.
      QVERIFY(std::ranges::max(owners) <= 1);
    }
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
