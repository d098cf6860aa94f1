// SPDX-License-Identifier: Apache-2.0
// Compares sweeps through gates, and the gates themselves, of each instruction set with plain
// loops.
#include "core/wavefront/gated/kernel.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
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
    int gates = 0;
    for (int from = 0; from < kFroms; ++from)
      gates |= (random.below(blocked) == 0 ? 1 : 0) << from;
    problem.gates.push_back(static_cast<std::uint8_t>(gates));
  }
  return problem;
}

/// Returns the value that cell (x, y) can take from that direction; all ones if it cannot.
int offer(const Problem& problem, int x, int y, int from, Steps steps) {
  const int u = x + kWays[static_cast<std::size_t>(from)][0];
  const int v = y + kWays[static_cast<std::size_t>(from)][1];
  if (u < 0 || v < 0 || u >= kSide || v >= kSide) return 0xFFFF;
  if ((problem.gates[static_cast<std::size_t>(y * kSide + x)] >> from & 1) != 0) return 0xFFFF;
  return problem.cells[static_cast<std::size_t>(v * kSide + u)] + (steps == Steps::One ? 1 : 0);
}

/// Lowers all cells by their neighbours in those directions until none falls.
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

template <typename T>
std::vector<T> turned(const std::vector<T>& cells) {
  std::vector<T> result(cells.size());
  for (int i = 0; i < kCells; ++i)
    result[static_cast<std::size_t>(i % kSide * kSide + i / kSide)] =
        cells[static_cast<std::size_t>(i)];
  return result;
}

void check_sweep(const PlaneKernel& kernel, Way way, Steps steps, Neighbours neighbours) {
  const std::vector<From> along =
      way == Way::Upright ? std::vector{Above, Below} : std::vector{Left, Right};
  std::vector<From> all{Above, Below, Left, Right, AboveLeft, AboveRight, BelowLeft, BelowRight};
  all.resize(static_cast<std::size_t>(neighbours));
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Problem start = random_problem(number, steps);
    Problem lines = start;
    rest(lines, steps, along);
    Problem expected = start;
    rest(expected, steps, all);
    Problem problem = start;
    const auto sweep = [&] {
      if (way == Way::Upright) {
        return kernel.sweep(problem.cells.data(), problem.gates.data(), way, steps, neighbours);
      }
      std::vector<std::uint16_t> cells = turned(problem.cells);
      const bool fell =
          kernel.sweep(cells.data(), turned(problem.gates).data(), way, steps, neighbours);
      problem.cells = turned(cells);
      return fell;
    };
    const bool fell = sweep();
    QCOMPARE(fell, problem.cells != start.cells);
    for (int i = 0; i < kCells; ++i) {
      const auto at = static_cast<std::size_t>(i);
      // One sweep does at least what its lines do, and never passes the fixpoint.
      QVERIFY(problem.cells[at] <= lines.cells[at] && problem.cells[at] >= expected.cells[at]);
    }
    while (sweep()) {
    }
    QVERIFY(problem.cells == expected.cells);
  }
}

void check_take(const PlaneKernel& kernel, Steps steps, Neighbours neighbours) {
  const Across across{Left, AboveLeft, BelowLeft};
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Problem problem = random_problem(number, steps);
    std::vector<std::uint16_t> line(problem.cells.begin(), problem.cells.begin() + kSide);
    const std::vector<std::uint16_t> was = line;
    const std::uint16_t* rim = problem.cells.data() + 2 * kSide;
    std::vector<std::uint16_t> expected = line;
    for (int i = 0; i < kSide; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto take = [&](From from, int along) {
        if ((problem.gates[at] >> from & 1) != 0) return;
        const int offered = rim[i + along] + (steps == Steps::One ? 1 : 0);
        expected[at] = static_cast<std::uint16_t>(std::min<int>(expected[at], offered));
      };
      take(Left, 0);
      if (neighbours == Neighbours::Cross) continue;
      take(AboveLeft, -1);
      take(BelowLeft, 1);
    }
    const bool fell =
        kernel.take(rim, problem.gates.data(), across, steps, neighbours, line.data());
    QVERIFY(line == expected);
    QCOMPARE(fell, line != was);
  }
}

template <typename Cell>
void check_gates(const GateKernel<Cell>& kernel) {
  for (std::uint64_t number = 0; number < 20; ++number) {
    test::RandomNumbers random(number);
    std::vector<Cell> cells;
    std::vector<std::uint16_t> hops;
    for (int i = 0; i < kPaddedCells; ++i) {
      cells.push_back(static_cast<Cell>(random.below(4) - (std::is_signed_v<Cell> ? 2 : 0)));
      hops.push_back(static_cast<std::uint16_t>(random.below(8) == 0 ? 0x7FFF : random.below(3)));
    }
    std::vector<std::uint8_t> takes;
    for (int i = 0; i < kCells; ++i)
      takes.push_back(random.below(5) == 0 ? 0 : 0xFF);
    for (const Neighbours neighbours : {Neighbours::Cross, Neighbours::Square}) {
      std::vector<std::uint8_t> plateaus(kCells, 7);
      std::vector<std::uint8_t> basins(kCells, 7);
      std::vector<std::uint8_t> lower(kCells, 7);
      kernel.plateaus(cells.data() + kPaddedFirst, takes.data(), neighbours, plateaus.data(),
                      lower.data());
      kernel.basins(cells.data() + kPaddedFirst, hops.data() + kPaddedFirst, takes.data(),
                    neighbours, basins.data());
      for (int i = 0; i < kCells; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int c = kPaddedFirst + i / kSide * kPaddedRow + i % kSide;
        int level_gates = kAllBlocked;
        int basin_gates = kAllBlocked;
        int any_lower = 0;
        const auto of = [](const auto& values, int where) {
          return values[static_cast<std::size_t>(where)];
        };
        const auto neighbour = [&](int from) {
          const auto& way = kWays[static_cast<std::size_t>(from)];
          return c + way[0] + kPaddedRow * way[1];
        };
        // Altitudes are inverted.
        const auto when = [&](int e) { return std::pair(-int{of(cells, e)}, of(hops, e)); };
        auto first = when(neighbour(0));
        for (int from = 1; from < static_cast<int>(neighbours); ++from)
          first = std::min(first, when(neighbour(from)));
        for (int from = 0; from < static_cast<int>(neighbours); ++from) {
          const int e = neighbour(from);
          const bool level = of(cells, e) == of(cells, c);
          const bool is_lower = of(cells, e) > of(cells, c);
          const bool nearest = when(e) == first;
          if (is_lower) any_lower = 0xFF;
          if (takes[at] != 0 && level) level_gates &= ~(1 << from);
          if (takes[at] != 0 && nearest) basin_gates &= ~(1 << from);
        }
        QCOMPARE(int{plateaus[at]}, level_gates);
        QCOMPARE(int{basins[at]}, basin_gates);
        QCOMPARE(int{lower[at]}, any_lower);
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
  for (const int neighbours : {4, 8}) {
    QTest::addRow("no steps, %d neighbours", neighbours) << false << neighbours;
    QTest::addRow("steps, %d neighbours", neighbours) << true << neighbours;
  }
}

void TestGatedKernel::sweeps() {
  QFETCH(bool, one);
  QFETCH(int, neighbours);
  const Steps steps = one ? Steps::One : Steps::None;
  const auto which = static_cast<Neighbours>(neighbours);
  const auto check = [&](const PlaneKernel& kernel) {
    check_sweep(kernel, Way::Upright, steps, which);
    check_sweep(kernel, Way::Turned, steps, which);
    check_take(kernel, steps, which);
  };
  check(plain_plane_kernel());
  if (const PlaneKernel* avx2 = avx2_plane_kernel()) check(*avx2);
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
