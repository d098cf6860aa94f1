// SPDX-License-Identifier: Apache-2.0
//
// Voxels inside outlines, against the winding of the line around each voxel centre.
#include "core/image/outline.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace seedwave;

namespace {

Geometry grid() {
  Geometry geometry;
  geometry.size = {23, 17, 5};
  return geometry;
}

/// Even-odd by a ray to the right: an independent rule for centres that lie on no edge.
bool is_inside(const Outline& outline, double x, double y) {
  bool inside = false;
  const auto& corners = outline.corners;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const auto& a = corners[i];
    const auto& b = corners[j];
    if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
      inside = !inside;
  }
  return inside;
}

}  // namespace

class TestOutline : public QObject {
  Q_OBJECT
 private slots:
  void random_outlines();
  void neighbours_share_no_voxel();
  void outside_the_grid_there_is_nothing();
};

void TestOutline::random_outlines() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-6.0, 28.0);
  for (int round = 0; round < 500; ++round) {
    const int normal = static_cast<int>(random() % 3);
    Outline outline{.slice_axis = normal,
                    .slice = static_cast<std::int64_t>(random() % 5),
                    .axes = {(normal + 1) % 3, (normal + 2) % 3},
                    .corners = {}};
    if (random() % 2 == 0) std::swap(outline.axes[0], outline.axes[1]);
    const std::size_t corners = 3 + random() % 9;
    for (std::size_t i = 0; i < corners; ++i)
      outline.corners.push_back({place(random), place(random)});
    const std::vector<std::int64_t> found = rasterise(outline, grid());
    QVERIFY(std::is_sorted(found.begin(), found.end()));
    for (std::int64_t offset = 0; offset < grid().voxel_count(); ++offset) {
      const Index3 index = grid().index_of(offset);
      const bool expected = index[normal] == outline.slice &&
                            is_inside(outline, static_cast<double>(index[outline.axes[0]]),
                                      static_cast<double>(index[outline.axes[1]]));
      QCOMPARE(std::binary_search(found.begin(), found.end(), offset), expected);
    }
  }
}

void TestOutline::neighbours_share_no_voxel() {
  // Their common edge runs through voxel centres.
  const Outline left{.slice = 1, .corners = {{2, 2}, {8, 2}, {8, 9}, {2, 9}}};
  const Outline right{.slice = 1, .corners = {{8, 2}, {14, 2}, {14, 9}, {8, 9}}};
  std::vector<std::int64_t> both = rasterise(left, grid());
  QCOMPARE(both.size(), std::size_t{6 * 7});
  const std::vector<std::int64_t> other = rasterise(right, grid());
  QCOMPARE(other.size(), std::size_t{6 * 7});
  both.insert(both.end(), other.begin(), other.end());
  std::sort(both.begin(), both.end());
  QVERIFY(std::adjacent_find(both.begin(), both.end()) == both.end());
}

void TestOutline::outside_the_grid_there_is_nothing() {
  QVERIFY(rasterise({.slice = 9, .corners = {{0, 0}, {9, 0}, {9, 9}}}, grid()).empty());
  QVERIFY(rasterise({.slice = 1, .corners = {{0, 0}, {9, 0}}}, grid()).empty());
  QVERIFY(rasterise({.slice = 1, .corners = {{-9, -9}, {-1, -9}, {-1, -1}}}, grid()).empty());
}

QTEST_APPLESS_MAIN(TestOutline)
#include "test_outline.moc"
