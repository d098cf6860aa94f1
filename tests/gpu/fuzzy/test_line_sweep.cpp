// SPDX-License-Identifier: Apache-2.0
// Compares the threads' work of the sweeps, run on the host, with the CPU's solvers.
#include "core/fuzzy/answer.h"
#include "core/fuzzy/dijkstra.h"
#include "gpu/fuzzy/line_sweep.h"
#include "gpu/fuzzy/passes.h"
#include "tests/gpu/fuzzy/host_planes.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

using namespace seedwave;
using namespace seedwave::gpu;
using test::HostAffinity;
using test::HostPlane;
using test::KernelCase;

namespace {

constexpr int kTrials = 20;

/// Sweeps as on the device: rounds over all lines of all steps. The lines of a step run in an order
/// that a device might choose, last first, to show that it does not matter.
template <typename Pass>
int to_fixpoint(const Pass& pass, const HostAffinity& affinity) {
  const Grid& grid = affinity.grid;
  for (int round = 0;; ++round) {
    bool changed = false;
    for (int s = 0; s < affinity.steps.count; ++s) {
      const NeighbourStep& step = affinity.steps.step[s];
      if (step.dy == 0 && step.dz == 0) {
        for (std::int64_t row = grid.ny * grid.nz - 1; row >= 0; --row) {
          changed = sweep_row(pass, affinity.plane(s), grid, row) || changed;
        }
      } else {
        for (std::int64_t line = WrappedLine::count(grid, step) - 1; line >= 0; --line) {
          changed = sweep_wrapped_line(pass, affinity.plane(s), grid, step, line) || changed;
        }
      }
    }
    if (!changed) return round;
  }
}

std::vector<std::uint16_t> finished(const HostPlane& labels, const Grid& grid,
                                    const std::vector<Seed>& seeds) {
  auto cells = test::unpadded(labels, grid);
  std::replace(cells.begin(), cells.end(), fuzzy::kTie, std::uint16_t{0});
  fuzzy::keep_painted(seeds, cells);
  return cells;
}

void mark(const std::vector<Seed>& seeds, const Grid& grid, HostPlane* strength,
          HostPlane* labels) {
  for (const Seed& seed : seeds) {
    if (strength != nullptr) strength->data()[grid.padded(seed.offset)] = fuzzy::kFullStrength;
    if (labels != nullptr)
      labels->data()[grid.padded(seed.offset)] = static_cast<std::uint16_t>(seed.label);
  }
}

}  // namespace

Q_DECLARE_METATYPE(KernelCase)

class TestLineSweep : public QObject {
  Q_OBJECT

 private slots:
  void lines_partition_the_grid_data() { rows(); }
  void lines_partition_the_grid();
  void irfc_equals_the_cpu_data() { rows(); }
  void irfc_equals_the_cpu();
  void rfc_equals_the_cpu_data() { rows(); }
  void rfc_equals_the_cpu();
  void a_straight_path_takes_one_round();

 private:
  static void rows() {
    QTest::addColumn<KernelCase>("c");
    for (const KernelCase& c : KernelCase::all())
      QTest::newRow(c.name().c_str()) << c;
  }
};

void TestLineSweep::lines_partition_the_grid() {
  QFETCH(KernelCase, c);
  Geometry geometry;
  geometry.size = c.size;
  const Grid grid = Grid::of(geometry);
  const Steps steps = Steps::ahead(c.connectivity);
  for (int s = 0; s < steps.count; ++s) {
    const NeighbourStep& step = steps.step[s];
    if (step.dy == 0 && step.dz == 0) continue;
    std::multiset<std::int64_t> visited;
    for (std::int64_t index = 0; index < WrappedLine::count(grid, step); ++index) {
      WrappedLine line(grid, step, index);
      for (std::int64_t k = 0; k < WrappedLine::length(grid, step); ++k) {
        if (k > 0) line.advance();
        visited.insert(line.offset());
      }
      // And back to the start.
      for (std::int64_t k = 1; k < WrappedLine::length(grid, step); ++k)
        line.go_back();
      QCOMPARE(line.offset(), WrappedLine(grid, step, index).offset());
    }
    std::multiset<std::int64_t> expected;
    for (std::int64_t i = 0; i < geometry.voxel_count(); ++i)
      expected.insert(grid.padded(i));
    QVERIFY(visited == expected);
  }
}

void TestLineSweep::irfc_equals_the_cpu() {
  QFETCH(KernelCase, c);
  for (int number = 0; number < kTrials; ++number) {
    const fuzzy::Problem problem =
        test::random_problem(c.size, c.connectivity, c.labels, c.mask, number);
    const HostAffinity affinity(problem);
    HostPlane strength(affinity.grid.cells(), 0);
    HostPlane labels(affinity.grid.cells(), 0);
    mark(problem.seeds, affinity.grid, &strength, nullptr);
    to_fixpoint(StrengthPass{strength.data()}, affinity);
    mark(problem.seeds, affinity.grid, nullptr, &labels);
    to_fixpoint(LabelPass{strength.data(), labels.data()}, affinity);
    Context context;
    const fuzzy::Answer expected = fuzzy::irfc_by_dijkstra(problem, context);
    QCOMPARE(test::unpadded(strength, affinity.grid), expected.strength);
    QCOMPARE(finished(labels, affinity.grid, problem.seeds), expected.labels);
  }
}

void TestLineSweep::rfc_equals_the_cpu() {
  QFETCH(KernelCase, c);
  for (int number = 0; number < kTrials; ++number) {
    const fuzzy::Problem problem =
        test::random_problem(c.size, c.connectivity, c.labels, c.mask, number);
    const HostAffinity affinity(problem);
    HostPlane best(affinity.grid.cells(), 0);
    HostPlane labels(affinity.grid.cells(), 0);
    HostPlane second(affinity.grid.cells(), 0);
    mark(problem.seeds, affinity.grid, &best, &labels);
    to_fixpoint(RelativePass{best.data(), labels.data(), second.data()}, affinity);
    Context context;
    const fuzzy::Answer expected = fuzzy::rfc_by_dijkstra(problem, context);
    QCOMPARE(test::unpadded(best, affinity.grid), expected.strength);
    QCOMPARE(finished(labels, affinity.grid, problem.seeds), expected.labels);
  }
}

/// The difference between a sweep and a step: a value crosses the image in the round in which it
/// enters it.
void TestLineSweep::a_straight_path_takes_one_round() {
  for (const Index3& size : {Index3{100, 1, 1}, Index3{1, 100, 1}, Index3{1, 1, 100}}) {
    fuzzy::Problem problem = test::random_problem(size, Connectivity::C6, 2, test::WithMask::No, 1);
    const HostAffinity random(problem);
    HostAffinity affinity = random;
    std::fill_n(affinity.planes.data(), affinity.grid.cells() * affinity.steps.count,
                std::uint16_t{0});
    Geometry geometry;
    geometry.size = size;
    const int axis = size[0] > 1 ? 0 : (size[1] > 1 ? 1 : 2);
    for (std::int64_t i = 0; i + 1 < 100; ++i) {
      affinity.planes.data()[axis * affinity.grid.cells() + affinity.grid.padded(i)] = 1000;
    }
    HostPlane strength(affinity.grid.cells(), 0);
    strength.data()[affinity.grid.padded(50)] = fuzzy::kFullStrength;
    QCOMPARE(to_fixpoint(StrengthPass{strength.data()}, affinity), 1);
    std::vector<std::uint16_t> expected(100, 1000);
    expected[50] = fuzzy::kFullStrength;
    QCOMPARE(test::unpadded(strength, affinity.grid), expected);
  }
}

QTEST_GUILESS_MAIN(TestLineSweep)
#include "test_line_sweep.moc"
