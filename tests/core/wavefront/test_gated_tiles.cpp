// SPDX-License-Identifier: Apache-2.0
// Compares wavefronts through gates on tiles with rounds over all cells.
#include "core/wavefront/gated/gated_tiles.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

using namespace seedwave;
using namespace seedwave::gated;

namespace {

constexpr std::array<std::array<int, 2>, 8> kWays{
    {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};

/// Planes, x fastest.
struct Problem {
  Index3 size{};
  int neighbours = 4;
  Steps steps = Steps::None;
  std::vector<std::uint16_t> states;
  std::vector<std::uint8_t> gates;
};

Problem random_problem(std::uint64_t number, int neighbours, Steps steps) {
  test::RandomNumbers random(number);
  Problem problem;
  problem.size = {1 + random.below(150), 1 + random.below(150), 1 + random.below(2)};
  problem.neighbours = neighbours;
  problem.steps = steps;
  const std::int64_t highest = steps == Steps::One ? 0xFFFE : 0xFFFF;
  const std::int64_t one_in = random.of(std::array<std::int64_t, 3>{2, 50, 5000});
  const std::int64_t blocked = random.of(std::array<std::int64_t, 3>{2, 3, 30});
  for (std::int64_t i = 0; i < problem.size[0] * problem.size[1] * problem.size[2]; ++i) {
    problem.states.push_back(static_cast<std::uint16_t>(
        random.below(one_in) == 0 ? highest - random.below(highest) : highest));
    int gates = 0;
    for (int from = 0; from < 8; ++from)
      gates |= (random.below(blocked) == 0 ? 1 : 0) << from;
    problem.gates.push_back(static_cast<std::uint8_t>(gates));
  }
  return problem;
}

std::vector<std::uint16_t> by_rounds(const Problem& problem) {
  const auto [nx, ny, nz] = problem.size;
  std::vector<std::uint16_t> states = problem.states;
  for (bool fell = true; fell;) {
    fell = false;
    for (std::int64_t i = 0; i < std::ssize(states); ++i) {
      for (int from = 0; from < problem.neighbours; ++from) {
        const auto& way = kWays[static_cast<std::size_t>(from)];
        const std::int64_t x = i % nx + way[0];
        const std::int64_t y = i / nx % ny + way[1];
        const auto at = static_cast<std::size_t>(i);
        if (x < 0 || y < 0 || x >= nx || y >= ny) continue;
        if ((problem.gates[at] >> from & 1) != 0) continue;
        const auto e = static_cast<std::size_t>(i + way[0] + nx * way[1]);
        const int offered = states[e] + (problem.steps == Steps::One ? 1 : 0);
        if (offered >= states[at]) continue;
        states[at] = static_cast<std::uint16_t>(offered);
        fell = true;
      }
    }
  }
  return states;
}

/// Also compares the cells of read() with the expected ones.
std::vector<std::uint16_t> by_tiles(const Problem& problem, int threads) {
  const TileGrid grid(problem.size, kSide, 1);
  const auto nothing = static_cast<std::uint16_t>(problem.steps == Steps::One ? 0xFFFE : 0xFFFF);
  const auto count = static_cast<std::size_t>(grid.tile_count() * kCells);
  std::vector<std::uint16_t> states(count);
  std::vector<std::uint8_t> gates(count);
  const Connectivity connectivity = problem.neighbours == 4 ? Connectivity::C4 : Connectivity::C8;
  GatedTiles tiles(grid, connectivity, problem.steps, threads, states.data(), gates.data());
  Context context(Context::Settings{.threads = threads});
  tiles.run(context, [&](std::int64_t tile, int) {
    std::fill_n(states.data() + tile * kCells, kCells, nothing);
    std::fill_n(gates.data() + tile * kCells, kCells, kAllBlocked);
    grid.for_each_row(tile, [&](std::int64_t offset, int cell, int length) {
      std::copy_n(problem.states.data() + offset, length, states.data() + tile * kCells + cell);
      std::copy_n(problem.gates.data() + offset, length, gates.data() + tile * kCells + cell);
    });
  });
  std::vector<std::uint16_t> result(problem.states.size());
  const auto [nx, ny, nz] = problem.size;
  std::vector<std::uint16_t> padded(kPaddedCells);
  bool around_is_right = true;
  for (std::int64_t tile = 0; tile < grid.tile_count(); ++tile) {
    grid.for_each_row(tile, [&](std::int64_t offset, int cell, int length) {
      std::copy_n(states.data() + tile * kCells + cell, length, result.data() + offset);
    });
    tiles.read(tile, padded.data() + kPaddedFirst);
    const Index3 first = grid.first_cell(tile);
    for (int y = -1; y <= kSide; ++y) {
      for (int x = -1; x <= kSide; ++x) {
        const std::int64_t u = first[0] + x;
        const std::int64_t v = first[1] + y;
        std::uint16_t expected = nothing;
        if (u >= 0 && v >= 0 && u < nx && v < ny) {
          const TileGrid::Place place = grid.locate(u + nx * (v + ny * first[2]));
          expected = states[static_cast<std::size_t>(place.tile * kCells + place.cell)];
        }
        around_is_right &=
            padded[static_cast<std::size_t>(kPaddedFirst + y * kPaddedRow + x)] == expected;
      }
    }
  }
  if (!around_is_right) return {};
  return result;
}

}  // namespace

class TestGatedTiles : public QObject {
  Q_OBJECT
 private slots:
  void agrees_with_rounds_data();
  void agrees_with_rounds();
};

void TestGatedTiles::agrees_with_rounds_data() {
  QTest::addColumn<int>("neighbours");
  QTest::addColumn<bool>("one");
  for (const int neighbours : {4, 8}) {
    QTest::addRow("%d neighbours", neighbours) << neighbours << false;
    QTest::addRow("%d neighbours, steps", neighbours) << neighbours << true;
  }
}

void TestGatedTiles::agrees_with_rounds() {
  QFETCH(int, neighbours);
  QFETCH(bool, one);
  for (std::uint64_t number = 0; number < 30; ++number) {
    const Problem problem = random_problem(number, neighbours, one ? Steps::One : Steps::None);
    const std::vector<std::uint16_t> expected = by_rounds(problem);
    QVERIFY(by_tiles(problem, 1) == expected);
    QVERIFY(by_tiles(problem, 3) == expected);
  }
}

QTEST_GUILESS_MAIN(TestGatedTiles)
#include "test_gated_tiles.moc"
