// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/image/geometry.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace seedwave;

namespace {

/// Returns a rotation about a random axis, right- or left-handed.
Geometry random_geometry(std::mt19937& random) {
  std::uniform_real_distribution<double> angle(-3.0, 3.0);
  std::uniform_real_distribution<double> length(0.1, 5.0);
  std::uniform_int_distribution<std::int64_t> size(1, 40);
  const double a = angle(random);
  const double b = angle(random);
  const double c = angle(random);
  const double handed = angle(random) < 0 ? -1.0 : 1.0;
  Geometry g;
  g.size = {size(random), size(random), size(random)};
  g.spacing = {length(random), length(random), length(random)};
  g.origin = {100 * angle(random), 100 * angle(random), 100 * angle(random)};
  using std::cos;
  using std::sin;
  g.direction = {cos(a) * cos(b),
                 cos(a) * sin(b) * sin(c) - sin(a) * cos(c),
                 handed * (cos(a) * sin(b) * cos(c) + sin(a) * sin(c)),
                 sin(a) * cos(b),
                 sin(a) * sin(b) * sin(c) + cos(a) * cos(c),
                 handed * (sin(a) * sin(b) * cos(c) - cos(a) * sin(c)),
                 -sin(b),
                 cos(b) * sin(c),
                 handed * cos(b) * cos(c)};
  return g;
}

}  // namespace

class TestGeometry : public QObject {
  Q_OBJECT
 private slots:
  void world_and_index_are_inverse();
  void offset_and_index_are_inverse();
  void a_box_is_empty_until_something_is_in_it();
  void refuses_what_is_no_grid_data();
  void refuses_what_is_no_grid();
  void tells_a_shifted_grid_from_the_same();
};

void TestGeometry::world_and_index_are_inverse() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(-50, 50);
  for (int i = 0; i < 1000; ++i) {
    const Geometry g = random_geometry(random);
    g.validate("the test's grid");
    const Vec3 index{coordinate(random), coordinate(random), coordinate(random)};
    const Vec3 back = g.to_index(g.to_world(index));
    for (int axis = 0; axis < 3; ++axis)
      QVERIFY(std::abs(back[axis] - index[axis]) < 1e-9);
  }
}

void TestGeometry::offset_and_index_are_inverse() {
  Geometry g;
  g.size = {3, 5, 7};
  for (std::int64_t offset = 0; offset < g.voxel_count(); ++offset) {
    const Index3 index = g.index_of(offset);
    QVERIFY(g.contains(index));
    QCOMPARE(g.offset(index), offset);
  }
  QVERIFY(!g.contains({3, 0, 0}));
  QVERIFY(!g.contains({0, -1, 0}));
}

void TestGeometry::a_box_is_empty_until_something_is_in_it() {
  Box box;
  QVERIFY(box.empty());
  QVERIFY((box == Box{{0, 0, 0}, {0, 0, 0}}));
  box.include({3, 4, 5});
  QVERIFY((box == Box{{3, 4, 5}, {4, 5, 6}}));
  box.include({1, 4, 7});
  QVERIFY((box == Box{{1, 4, 5}, {4, 5, 8}}));
}

void TestGeometry::refuses_what_is_no_grid_data() {
  QTest::addColumn<int>("what");
  QTest::newRow("zero size") << 0;
  QTest::newRow("size that overflows") << 1;
  QTest::newRow("zero spacing") << 2;
  QTest::newRow("NaN spacing") << 3;
  QTest::newRow("NaN origin") << 4;
  QTest::newRow("sheared axes") << 5;
  QTest::newRow("NaN axes") << 6;
  QTest::newRow("axes sheared by the tolerance") << 7;
}

void TestGeometry::refuses_what_is_no_grid() {
  QFETCH(int, what);
  Geometry g;
  g.size = {4, 4, 4};
  g.validate("a good grid");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (what == 0) g.size[1] = 0;
  if (what == 1) g.size = {std::int64_t{1} << 31, std::int64_t{1} << 31, std::int64_t{1} << 31};
  if (what == 2) g.spacing[2] = 0;
  if (what == 3) g.spacing[0] = nan;
  if (what == 4) g.origin[0] = nan;
  if (what == 5) g.direction[1] = 0.3;
  if (what == 6) g.direction[4] = nan;
  if (what == 7) g.direction[1] = 1e-3;
  QVERIFY_EXCEPTION_THROWN(g.validate("a bad grid"), InputError);
}

void TestGeometry::tells_a_shifted_grid_from_the_same() {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    const Geometry g = random_geometry(random);
    Geometry moved = g;
    QVERIFY(same_grid(g, moved));
    moved.origin[1] += 0.5 * g.spacing[0];
    QVERIFY(!same_grid(g, moved));
  }
}

QTEST_GUILESS_MAIN(TestGeometry)
#include "test_geometry.moc"
