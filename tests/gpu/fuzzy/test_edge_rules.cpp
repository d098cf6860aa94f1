// SPDX-License-Identifier: Apache-2.0
// The rules over a device's planes of affinities, on the CPU's engine, against the CPU's solvers.
#include "core/fuzzy/answer.h"
#include "core/fuzzy/dijkstra.h"
#include "core/wavefront/rule_tiles.h"
#include "gpu/fuzzy/edge_rules.h"
#include "gpu/fuzzy/row_blocks.h"
#include "tests/gpu/fuzzy/host_planes.h"

#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

using namespace seedwave;
using namespace seedwave::gpu;
using test::HostAffinity;
using test::HostPlane;
using test::KernelCase;

namespace {

constexpr int kTrials = 10;

template <typename Rule>
void grow(const Rule& rule, const fuzzy::Problem& problem, const Grid& grid, HostPlane& states) {
  Context context({.threads = 2});
  run_rule(rule, Index3{grid.pitch, grid.ny, grid.nz}, problem.connectivity,
           std::span(states.data(), static_cast<std::size_t>(grid.cells())), context);
}

EdgeAffinities edges_of(const HostAffinity& affinity) {
  return {affinity.plane(0), affinity.grid.cells(), affinity.steps.count};
}

}  // namespace

Q_DECLARE_METATYPE(KernelCase)

class TestEdgeRules : public QObject {
  Q_OBJECT

 private slots:
  void irfc_equals_the_cpu_data();
  void irfc_equals_the_cpu();
  void blocks_hold_every_row_once_data();
  void blocks_hold_every_row_once();
};

void TestEdgeRules::irfc_equals_the_cpu_data() {
  QTest::addColumn<KernelCase>("c");
  for (const KernelCase& c : KernelCase::all())
    QTest::newRow(c.name().c_str()) << c;
}

void TestEdgeRules::irfc_equals_the_cpu() {
  QFETCH(KernelCase, c);
  for (int number = 0; number < kTrials; ++number) {
    const fuzzy::Problem problem =
        test::random_problem(c.size, c.connectivity, c.labels, c.mask, number);
    const HostAffinity affinity(problem);
    const Grid& grid = affinity.grid;
    HostPlane strength(grid.cells(), 0);
    HostPlane labels(grid.cells(), 0);
    for (const Seed& seed : problem.seeds) {
      strength.data()[grid.padded(seed.offset)] = fuzzy::kFullStrength;
      labels.data()[grid.padded(seed.offset)] = seed.label;
    }
    grow(StrengthOverEdges{edges_of(affinity)}, problem, grid, strength);
    grow(LabelOverEdges{edges_of(affinity), strength.data()}, problem, grid, labels);
    auto got = test::unpadded(labels, grid);
    std::replace(got.begin(), got.end(), fuzzy::kTie, std::uint16_t{0});
    fuzzy::keep_painted(problem.seeds, got);
    Context context;
    const fuzzy::Answer expected = fuzzy::irfc_by_dijkstra(problem, context);
    QCOMPARE(test::unpadded(strength, grid), expected.strength);
    QCOMPARE(got, expected.labels);
  }
}

void TestEdgeRules::blocks_hold_every_row_once_data() {
  QTest::addColumn<qint64>("nx");
  QTest::addColumn<qint64>("ny");
  QTest::addColumn<qint64>("nz");
  QTest::newRow("one cell") << qint64{1} << qint64{1} << qint64{1};
  QTest::newRow("a slab and a slice") << qint64{17} << qint64{5} << qint64{9};
  QTest::newRow("several blocks a slab") << qint64{4001} << qint64{131} << qint64{19};
  QTest::newRow("an image") << qint64{30000} << qint64{201} << qint64{1};
  QTest::newRow("rows longer than a block") << qint64{2200000} << qint64{33} << qint64{1};
}

void TestEdgeRules::blocks_hold_every_row_once() {
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

QTEST_GUILESS_MAIN(TestEdgeRules)
#include "test_edge_rules.moc"
