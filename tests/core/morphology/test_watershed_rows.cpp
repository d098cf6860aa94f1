// SPDX-License-Identifier: Apache-2.0
// Compares first hops and predecessors of rows with their definitions, cell by cell.
#include "core/morphology/watershed_in_slabs.h"
#include "core/morphology/watershed_rows.h"
#include "core/wavefront/watershed_rules.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::array kConnectivities{Connectivity::C4, Connectivity::C8, Connectivity::C6,
                                     Connectivity::C18, Connectivity::C26};

/// Random cells of a grid, with few different values, so that many are equal. Rows are long enough
/// for vectors and what is left behind them.
template <typename Voxel, typename Kept>
struct RandomCells {
  explicit RandomCells(test::RandomNumbers& random)
      : size{1 + random.below(80), 1 + random.below(6), 1},
        connectivity(random.of(kConnectivities)) {
    const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
    if (!planar) size[2] = 1 + random.below(5);
    const bool masked = random.below(2) == 0;
    for (std::int64_t i = 0; i < size[0] * size[1] * size[2]; ++i) {
      altitudes.push_back(height(random));
      f.push_back(height(random));
      hops.push_back(random.below(4) == 0 ? watershed::kFarKept<Kept>
                                          : static_cast<Kept>(random.below(3)));
      mask.push_back(!masked || random.below(4) != 0 ? 1 : 0);
      takes.push_back(mask.back() != 0 && random.below(5) != 0 ? 0xFF : 0);
    }
    begin = random.below(std::ssize(takes) + 1);
    end = begin + random.below(std::ssize(takes) - begin + 1);
    cells = {size, connectivity, altitudes.data(), takes.data(), masked ? mask.data() : nullptr};
  }

  static Voxel height(test::RandomNumbers& random) {
    const std::int64_t height = random.below(4);
    if (height < 3) return static_cast<Voxel>(height);
    return std::numeric_limits<Voxel>::has_infinity ? std::numeric_limits<Voxel>::infinity()
                                                    : std::numeric_limits<Voxel>::max();
  }

  /// Calls body(neighbour, step from it) for the neighbours of a cell in the grid.
  template <typename Body>
  void for_neighbours(std::int64_t cell, Body&& body) const {
    const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::int64_t x = cell % size[0] - steps[s].dx;
      const std::int64_t y = cell / size[0] % size[1] - steps[s].dy;
      const std::int64_t z = cell / size[0] / size[1] - steps[s].dz;
      if (x < 0 || x >= size[0] || y < 0 || y >= size[1] || z < 0 || z >= size[2]) continue;
      body(x + size[0] * (y + size[1] * z), static_cast<int>(s));
    }
  }
  [[nodiscard]] bool in_range(std::int64_t cell) const { return cell >= begin && cell < end; }

  Index3 size;
  Connectivity connectivity;
  std::vector<Voxel> altitudes;
  std::vector<Voxel> f;
  std::vector<Kept> hops;
  std::vector<std::uint8_t> mask;
  std::vector<std::uint8_t> takes;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  watershed::WatershedCells<Voxel> cells;
};

template <typename Voxel, typename Kept>
void check_hops() {
  constexpr Kept kNobody = 77;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    test::RandomNumbers random(number);
    const RandomCells<Voxel, Kept> given(random);
    std::vector<Kept> hops(given.takes.size(), kNobody);
    watershed::set_first_hops(
        given.cells, given.begin, given.end,
        [&](std::int64_t cell, std::int64_t) { return given.f.data() + cell; },
        watershed::kFarKept<Kept>, hops.data());
    for (std::int64_t cell = 0; cell < std::ssize(hops); ++cell) {
      bool lower = false;
      given.for_neighbours(cell, [&](std::int64_t neighbour, int) {
        lower = lower || given.altitudes[neighbour] < given.altitudes[cell];
      });
      const bool marker = given.takes[cell] == 0 && given.mask[cell] != 0;
      const bool starts =
          marker || comes_in(given.f[cell], given.altitudes[cell], given.takes[cell] != 0, lower);
      const Kept expected = starts ? Kept{0} : watershed::kFarKept<Kept>;
      QCOMPARE(hops[cell], given.in_range(cell) ? expected : kNobody);
    }
  }
}

template <typename Voxel, typename Kept, typename Steps>
void check_predecessors() {
  constexpr Steps kNobody = 77;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    test::RandomNumbers random(number);
    const RandomCells<Voxel, Kept> given(random);
    if (neighbour_steps(given.connectivity).size() > std::numeric_limits<Steps>::digits) continue;
    std::vector<Steps> steps(given.takes.size(), kNobody);
    watershed::set_predecessors(given.cells, given.hops.data(), given.begin, given.end,
                                steps.data());
    for (std::int64_t cell = 0; cell < std::ssize(steps); ++cell) {
      Predecessors<Voxel, Kept> found(given.altitudes[cell], given.hops[cell]);
      given.for_neighbours(cell, [&](std::int64_t neighbour, int step) {
        found.see(step, given.altitudes[neighbour], given.hops[neighbour]);
      });
      const auto expected = given.takes[cell] != 0 ? static_cast<Steps>(found.steps()) : Steps{0};
      QCOMPARE(steps[cell], given.in_range(cell) ? expected : kNobody);
    }
  }
}

}  // namespace

class TestWatershedRows : public QObject {
  Q_OBJECT
 private slots:
  void set_the_first_hops_of_their_definition() {
    check_hops<std::uint8_t, std::uint16_t>();
    check_hops<std::uint16_t, std::uint32_t>();
    check_hops<float, std::uint16_t>();
  }
  void set_the_predecessors_of_their_definition() {
    check_predecessors<std::uint8_t, std::uint16_t, std::uint8_t>();
    check_predecessors<std::uint16_t, std::uint16_t, std::uint32_t>();
    check_predecessors<float, std::uint32_t, std::uint32_t>();
  }
};

QTEST_GUILESS_MAIN(TestWatershedRows)
#include "test_watershed_rows.moc"
