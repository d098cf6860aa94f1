// SPDX-License-Identifier: Apache-2.0
// Compares sweeps inside a plane, of each instruction set, with plain loops.
#include "core/wavefront/geodesic/kernel.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using namespace seedwave;
using geodesic::PlaneKernel;
using geodesic::Reach;

namespace {

constexpr std::array kReaches{Reach::Straight, Reach::Cross, Reach::Square};

template <typename Cell>
std::vector<Cell> random_cells(test::RandomNumbers& random, int count, std::int64_t levels) {
  std::vector<Cell> cells;
  for (int i = 0; i < count; ++i) {
    const std::int64_t value = random.below(levels) - (std::is_signed_v<Cell> ? levels / 2 : 0);
    cells.push_back(static_cast<Cell>(value));
  }
  return cells;
}

/// A plane under limits.
template <typename Cell>
struct Problem {
  std::vector<Cell> cells;
  std::vector<Cell> limits;
  std::vector<Cell> beside;  // another plane
  std::vector<Cell> first;   // offers to the first and the last row
  std::vector<Cell> last;
};

template <typename Cell>
Problem<Cell> random_problem(std::uint64_t number, int side) {
  test::RandomNumbers random(number);
  const std::int64_t most = sizeof(Cell) == 1 ? 256 : 60000;
  const std::int64_t levels = random.of(std::array<std::int64_t, 3>{2, 30, most});
  Problem<Cell> problem;
  problem.limits = random_cells<Cell>(random, side * side, levels);
  problem.cells = random_cells<Cell>(random, side * side, levels);
  for (std::size_t i = 0; i < problem.cells.size(); ++i)
    problem.cells[i] = std::min(problem.cells[i], problem.limits[i]);
  problem.beside = random_cells<Cell>(random, side * side, levels);
  problem.first = random_cells<Cell>(random, side, levels);
  problem.last = random_cells<Cell>(random, side, levels);
  return problem;
}

/// Returns the maximum of row y's cells that cell x takes from; cells outside do not count.
template <typename Cell>
Cell highest(const std::vector<Cell>& plane, int side, int x, int y, int reach) {
  Cell value = std::numeric_limits<Cell>::lowest();
  for (int i = std::max(0, x - reach); i <= std::min(side - 1, x + reach); ++i)
    value = std::max(value, plane[static_cast<std::size_t>(y * side + i)]);
  return value;
}

/// Sweeps from the first row to the last, and back.
template <typename Cell>
std::vector<Cell> swept(const Problem<Cell>& problem, int side, Reach reach) {
  std::vector<Cell> cells = problem.cells;
  const int beside = reach == Reach::Straight ? 0 : 1;
  const auto raise = [&](int x, int y, Cell offer) {
    const auto at = static_cast<std::size_t>(y * side + x);
    cells[at] = std::max(cells[at], std::min(offer, problem.limits[at]));
  };
  for (int x = 0; x < side; ++x) {
    raise(x, 0, problem.first[static_cast<std::size_t>(x)]);
    raise(x, side - 1, problem.last[static_cast<std::size_t>(x)]);
  }
  for (std::vector<Cell> before; before != cells;) {
    before = cells;
    for (int y = 1; y < side; ++y) {
      for (int x = 0; x < side; ++x)
        raise(x, y, highest(before, side, x, y - 1, beside));
    }
    for (int y = side - 2; y >= 0; --y) {
      for (int x = 0; x < side; ++x)
        raise(x, y, highest(before, side, x, y + 1, beside));
    }
  }
  return cells;
}

template <typename Cell>
std::vector<Cell> swept_across(const Problem<Cell>& problem, int side, Reach reach) {
  std::vector<Cell> cells = problem.cells;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const auto at = static_cast<std::size_t>(y * side + x);
      Cell offer = highest(problem.beside, side, x, y, reach == Reach::Straight ? 0 : 1);
      for (const int dy : {-1, 1}) {
        if (reach == Reach::Straight || y + dy < 0 || y + dy >= side) continue;
        offer = std::max(offer,
                         highest(problem.beside, side, x, y + dy, reach == Reach::Square ? 1 : 0));
      }
      cells[at] = std::max(cells[at], std::min(offer, problem.limits[at]));
    }
  }
  return cells;
}

template <typename Cell, int side>
void check(const PlaneKernel<Cell>& kernel) {
  for (std::uint64_t number = 0; number < 30; ++number) {
    const Problem<Cell> problem = random_problem<Cell>(number, side);
    std::vector<Cell> turned(problem.cells.size());
    kernel.turn(problem.cells.data(), turned.data());
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        QCOMPARE(turned[static_cast<std::size_t>(x * side + y)],
                 problem.cells[static_cast<std::size_t>(y * side + x)]);
      }
    }
    for (const Reach reach : kReaches) {
      std::vector<Cell> cells = problem.cells;
      const auto sweep = [&] {
        return kernel.sweep(cells.data(), problem.limits.data(), reach, problem.first.data(),
                            problem.last.data());
      };
      const bool rose = sweep();
      QCOMPARE(rose, cells != problem.cells);
      // Straight columns have converged after one sweep in both directions; with diagonals it takes
      // more.
      if (reach == Reach::Straight) QVERIFY(cells == swept(problem, side, reach));
      while (sweep()) {
      }
      QVERIFY(cells == swept(problem, side, reach));

      cells = problem.cells;
      const bool raised =
          kernel.sweep_across(problem.beside.data(), cells.data(), problem.limits.data(), reach);
      QVERIFY(cells == swept_across(problem, side, reach));
      QCOMPARE(raised, cells != problem.cells);
    }
  }
}

template <typename Cell, int side>
void check_both() {
  check<Cell, side>(geodesic::plain_kernel<Cell, side>());
  if (const auto* avx2 = geodesic::avx2_kernel<Cell, side>()) check<Cell, side>(*avx2);
}

}  // namespace

class TestGeodesicKernel : public QObject {
  Q_OBJECT
 private slots:
  void bytes() {
    check_both<std::uint8_t, 64>();
    check_both<std::uint8_t, 32>();
  }
  void words() {
    check_both<std::uint16_t, 64>();
    check_both<std::uint16_t, 32>();
  }
  void whole_numbers() {
    check_both<std::int32_t, 64>();
    check_both<std::int32_t, 32>();
  }
};

QTEST_GUILESS_MAIN(TestGeodesicKernel)
#include "test_geodesic_kernel.moc"
