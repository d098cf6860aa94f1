// SPDX-License-Identifier: Apache-2.0
// The division of an answer into blocks for its download.
#include "gpu/fuzzy/row_blocks.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace seedwave;
using namespace seedwave::gpu;

class TestRowBlocks : public QObject {
  Q_OBJECT

 private slots:
  void blocks_hold_every_row_once_data();
  void blocks_hold_every_row_once();
};

void TestRowBlocks::blocks_hold_every_row_once_data() {
  QTest::addColumn<qint64>("nx");
  QTest::addColumn<qint64>("ny");
  QTest::addColumn<qint64>("nz");
  QTest::newRow("one cell") << qint64{1} << qint64{1} << qint64{1};
  QTest::newRow("a slab and a slice") << qint64{17} << qint64{5} << qint64{9};
  QTest::newRow("several blocks a slab") << qint64{4001} << qint64{131} << qint64{19};
  QTest::newRow("an image") << qint64{30000} << qint64{201} << qint64{1};
  QTest::newRow("rows longer than a block") << qint64{2200000} << qint64{33} << qint64{1};
}

void TestRowBlocks::blocks_hold_every_row_once() {
  QFETCH(qint64, nx);
  QFETCH(qint64, ny);
  QFETCH(qint64, nz);
  Geometry geometry;
  geometry.size = {nx, ny, nz};
  const Grid grid = Grid::of(geometry);
  std::vector<int> seen(static_cast<std::size_t>(ny * nz), 0);
  for (const RowBlock& block : row_blocks(grid)) {
    // Whole bricks, and no more than there is memory for.
    QCOMPARE(block.y0 % kBlockRows, 0);
    QCOMPARE(block.z0 % kBlockSlices, 0);
    QVERIFY(block.z1 - block.z0 <= kBlockSlices);
    QVERIFY(block.rows() * grid.pitch <= most_block_cells(grid));
    std::int64_t next = 0;
    for (std::int64_t z = block.z0; z < block.z1; ++z) {
      for (std::int64_t y = block.y0; y < block.y1; ++y) {
        QCOMPARE(block.row_of(y, z), next++);
        ++seen[static_cast<std::size_t>(y + ny * z)];
      }
    }
    QCOMPARE(next, block.rows());
  }
  QCOMPARE(std::count(seen.begin(), seen.end(), 1), ny * nz);
}

QTEST_GUILESS_MAIN(TestRowBlocks)
#include "test_row_blocks.moc"
