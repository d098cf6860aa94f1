// SPDX-License-Identifier: Apache-2.0
#include "ui/views/voxel_outline.h"

#include <QTest>

#include <algorithm>

namespace seedwave::ui {

class TestVoxelOutline : public QObject {
  Q_OBJECT

 private slots:
  void surrounds_the_voxels_of_the_slice_only() {
    Geometry grid;
    grid.size = {5, 4, 3};
    const PlaneAxes axes(grid, PlaneKind::Axial, Convention::Radiological);
    VoxelOutline outline;
    QVERIFY(outline.empty());
    // Two neighbours in slice 1, one voxel in slice 2.
    outline.set_voxels({grid.offset({1, 1, 1}), grid.offset({2, 1, 1}), grid.offset({4, 3, 2})});
    QVERIFY(outline.lines(axes, 0).empty());
    const std::vector<QLineF> two = outline.lines(axes, 1);
    QCOMPARE(two.size(), std::size_t{6});  // a rectangle of 2 x 1: no edge between them
    double length = 0.0;
    double left = 1e9;
    double bottom = -1e9;
    for (const QLineF& line : two) {
      length += line.length();
      left = std::min({left, line.x1(), line.x2()});
      bottom = std::max({bottom, line.y1(), line.y2()});
    }
    QCOMPARE(length, 6.0);
    const Vec3 first = axes.slice_coordinates(grid.to_world(Index3{1, 1, 1}));
    const Vec3 second = axes.slice_coordinates(grid.to_world(Index3{2, 1, 1}));
    QCOMPARE(left, std::min(first[0], second[0]) - 0.5);
    QCOMPARE(bottom, first[1] + 0.5);
    // In the corner of the image: still closed.
    QCOMPARE(outline.lines(axes, 2).size(), std::size_t{4});
    outline.set_voxels({});
    QVERIFY(outline.lines(axes, 2).empty());
  }
};

}  // namespace seedwave::ui

QTEST_MAIN(seedwave::ui::TestVoxelOutline)
#include "test_voxel_outline.moc"
