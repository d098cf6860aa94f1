// SPDX-License-Identifier: Apache-2.0
#include "core/image/crop.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace seedwave;

class TestCrop : public QObject {
  Q_OBJECT
 private slots:
  void keeps_every_voxel_and_where_it_lies_data();
  void keeps_every_voxel_and_where_it_lies();
  void shares_whole_layers();
};

void TestCrop::keeps_every_voxel_and_where_it_lies_data() {
  QTest::addColumn<QVector<int>>("box");  // lo, hi
  QTest::addColumn<int>("components");
  QTest::newRow("whole") << QVector<int>{0, 0, 0, 7, 5, 3} << 1;
  QTest::newRow("one voxel") << QVector<int>{6, 4, 2, 7, 5, 3} << 1;
  QTest::newRow("middle, RGB") << QVector<int>{2, 1, 1, 5, 4, 3} << 3;
}

void TestCrop::keeps_every_voxel_and_where_it_lies() {
  QFETCH(QVector<int>, box);
  QFETCH(int, components);
  Geometry g;
  g.size = {7, 5, 3};
  g.spacing = {0.5, 0.7, 2.0};
  g.origin = {-10, 20, 3};
  g.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  std::vector<std::uint16_t> values(static_cast<std::size_t>(g.voxel_count() * components));
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  const Volume volume(g, values, components);
  const Box part{{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
  const Volume cropped = crop(volume, part);
  const Geometry& small = cropped.geometry();
  QCOMPARE(cropped.components(), components);
  for (int axis = 0; axis < 3; ++axis)
    QCOMPARE(small.size[axis], part.hi[axis] - part.lo[axis]);
  for (std::int64_t offset = 0; offset < small.voxel_count(); ++offset) {
    const Index3 at = small.index_of(offset);
    const Index3 before{at[0] + part.lo[0], at[1] + part.lo[1], at[2] + part.lo[2]};
    for (int c = 0; c < components; ++c)
      QCOMPARE(cropped.value_at(at, c), volume.value_at(before, c));
    for (int axis = 0; axis < 3; ++axis)
      QVERIFY(std::abs(small.to_world(at)[axis] - g.to_world(before)[axis]) < 1e-12);
  }
}

void TestCrop::shares_whole_layers() {
  for (const int components : {1, 3}) {
    Geometry g;
    g.size = {4, 3, 5};
    g.origin = {1, 2, 3};
    std::vector<std::uint16_t> values(static_cast<std::size_t>(60 * components));
    std::iota(values.begin(), values.end(), std::uint16_t{0});
    Volume volume(g, values, components);
    const Box box{{0, 0, 1}, {4, 3, 4}};
    const Volume copied = crop(volume, box);
    const Volume shared = shared_part(volume, box);
    QCOMPARE(shared.bytes().data(), volume.bytes().data() + 12 * components * 2);
    volume = {};  // the part keeps the voxels alive
    QVERIFY(same_grid(shared.geometry(), copied.geometry()));
    QCOMPARE(shared.components(), components);
    QVERIFY(std::ranges::equal(shared.bytes(), copied.bytes()));
  }
}

QTEST_GUILESS_MAIN(TestCrop)
#include "test_crop.moc"
