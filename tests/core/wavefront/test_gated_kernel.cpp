// SPDX-License-Identifier: Apache-2.0
// Sweeps through gates and the gates themselves, of each instruction set, against plain loops.
#include "core/wavefront/gated/kernel.h"
#include "tests/support/random_numbers.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

using namespace seedwave;
using namespace seedwave::gated;

namespace {

constexpr int kFroms = static_cast<int>(Neighbours::Square);
constexpr std::array<std::array<int, 2>, kFroms> kWays{
    {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};

struct Problem {
  std::vector<std::uint16_t> cells;
  std::vector<std::uint8_t> gates;
};

Problem random_problem(std::uint64_t number, Steps steps) {
  test::RandomNumbers random(number);
  Problem problem;
  const std::int64_t nothing = steps == Steps::None ? 0xFFFF : 0x7FFF;
  const std::int64_t one_in = random.of(std::array<std::int64_t, 3>{2, 20, 2000});
  const std::int64_t blocked = random.of(std::array<std::int64_t, 3>{2, 4, 20});
  for (int i = 0; i < kCells; ++i) {
    problem.cells.push_back(
        static_cast<std::uint16_t>(random.below(one_in) == 0 ? random.below(nothing) : nothing));
  }
  for (int i = 0; i < kFroms * kCells; ++i)
    problem.gates.push_back(random.below(blocked) == 0 ? 0xFF : 0);
  return problem;
}

/// What cell (x, y) can take from there; all ones where it cannot.
int offer(const Problem& problem, int x, int y, int from, Steps steps) {
  const int u = x + kWays[static_cast<std::size_t>(from)][0];
  const int v = y + kWays[static_cast<std::size_t>(from)][1];
  if (u < 0 || v < 0 || u >= kSide || v >= kSide) return 0xFFFF;
  if (problem.gates[static_cast<std::size_t>(from * kCells + y * kSide + x)] != 0) return 0xFFFF;
  return problem.cells[static_cast<std::size_t>(v * kSide + u)] + (steps == Steps::One ? 1 : 0);
}

/// Lowers all cells by all that lie in those ways, until none falls.
void rest(Problem& problem, Steps steps, const std::vector<From>& froms) {
  for (bool fell = true; fell;) {
    fell = false;
    for (int i = 0; i < kCells; ++i) {
      for (const From from : froms) {
        std::uint16_t& cell = problem.cells[static_cast<std::size_t>(i)];
        const int offered = offer(problem, i % kSide, i / kSide, from, steps);
        if (offered >= cell) continue;
        cell = static_cast<std::uint16_t>(offered);
        fell = true;
      }
    }
  }
}

void check(const PlaneKernel& kernel, Steps steps, Neighbours neighbours) {
  std::vector<From> all{Above, Below, Left, Right, AboveLeft, AboveRight, BelowLeft, BelowRight};
  all.resize(static_cast<std::size_t>(neighbours));
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Problem start = random_problem(number, steps);
    Problem columns = start;
    rest(columns, steps, {Above, Below});
    Problem expected = start;
    rest(expected, steps, all);
    Problem problem = start;
    const auto sweep = [&] {
      return kernel.sweep(problem.cells.data(), problem.gates.data(), steps, neighbours);
    };
    const bool fell = sweep();
    QCOMPARE(fell, problem.cells != start.cells);
    for (int i = 0; i < kCells; ++i) {
      const auto at = static_cast<std::size_t>(i);
      // One sweep is at least all that columns do, and never more than there is.
      QVERIFY(problem.cells[at] <= columns.cells[at] && problem.cells[at] >= expected.cells[at]);
    }
    // Sweeps alone bring all to rest but what only runs along rows for long; that is the turned
    // plane's part.
    for (bool more = true; more;) {
      while (sweep()) {
      }
      Problem rows = problem;
      if (neighbours != Neighbours::Across) rest(rows, steps, {Left, Right});
      more = rows.cells != problem.cells;
      problem = rows;
    }
    QVERIFY(problem.cells == expected.cells);
  }
}

template <typename Cell>
void check_gates(const GateKernel<Cell>& kernel) {
  constexpr int kMargin = kSide + 1;
  for (std::uint64_t number = 0; number < 20; ++number) {
    test::RandomNumbers random(number);
    std::vector<Cell> altitudes;
    std::vector<std::uint16_t> hops;
    for (int i = 0; i < kCells + 2 * kMargin; ++i) {
      altitudes.push_back(static_cast<Cell>(random.below(4) - (std::is_signed_v<Cell> ? 2 : 0)));
      hops.push_back(static_cast<std::uint16_t>(random.below(8) == 0 ? 0x7FFF : random.below(3)));
    }
    std::vector<std::uint8_t> takes;
    for (int i = 0; i < kCells; ++i)
      takes.push_back(random.below(5) == 0 ? 0 : 1);
    for (const auto& way : kWays) {
      const int shift = way[0] + kSide * way[1];
      std::vector<std::uint8_t> plateaus(kCells, 7);
      std::vector<std::uint8_t> basins(kCells, 7);
      kernel.plateaus(altitudes.data() + kMargin, takes.data(), shift, plateaus.data());
      kernel.basins(altitudes.data() + kMargin, hops.data() + kMargin, takes.data(), shift,
                    basins.data());
      for (int i = 0; i < kCells; ++i) {
        const auto c = static_cast<std::size_t>(kMargin + i);
        const auto e = static_cast<std::size_t>(kMargin + i + shift);
        const bool taking = takes[static_cast<std::size_t>(i)] != 0;
        const bool level = altitudes[e] == altitudes[c];
        const bool nearest =
            hops[c] == 0 ? altitudes[e] < altitudes[c] : level && hops[e] == hops[c] - 1;
        QCOMPARE(int{plateaus[static_cast<std::size_t>(i)]}, taking && level ? 0 : 0xFF);
        QCOMPARE(int{basins[static_cast<std::size_t>(i)]}, taking && nearest ? 0 : 0xFF);
      }
    }
  }
}

}  // namespace

class TestGatedKernel : public QObject {
  Q_OBJECT
 private slots:
  void sweeps_data();
  void sweeps();
  void gates();
};

void TestGatedKernel::sweeps_data() {
  QTest::addColumn<bool>("one");
  QTest::addColumn<int>("neighbours");
  for (const int neighbours : {2, 4, 8}) {
    QTest::addRow("no steps, %d neighbours", neighbours) << false << neighbours;
    QTest::addRow("steps, %d neighbours", neighbours) << true << neighbours;
  }
}

void TestGatedKernel::sweeps() {
  QFETCH(bool, one);
  QFETCH(int, neighbours);
  const Steps steps = one ? Steps::One : Steps::None;
  const auto which = static_cast<Neighbours>(neighbours);
  check(plain_plane_kernel(), steps, which);
  if (const PlaneKernel* avx2 = avx2_plane_kernel()) check(*avx2, steps, which);
}

void TestGatedKernel::gates() {
  check_gates(plain_gate_kernel<std::uint8_t>());
  check_gates(plain_gate_kernel<std::uint16_t>());
  check_gates(plain_gate_kernel<std::int32_t>());
  if (const auto* avx2 = avx2_gate_kernel<std::uint8_t>()) check_gates(*avx2);
  if (const auto* avx2 = avx2_gate_kernel<std::uint16_t>()) check_gates(*avx2);
  if (const auto* avx2 = avx2_gate_kernel<std::int32_t>()) check_gates(*avx2);
}

QTEST_GUILESS_MAIN(TestGatedKernel)
#include "test_gated_kernel.moc"
