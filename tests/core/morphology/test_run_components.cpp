// SPDX-License-Identifier: Apache-2.0
// Compares components by runs with flooding cell by cell, and reconstruction by runs with fh.
#include "core/morphology/reconstruction.h"
#include "core/morphology/reconstruction_by_runs.h"
#include "tests/support/random_numbers.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <type_traits>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::array kConnectivities{Connectivity::C4, Connectivity::C8, Connectivity::C6,
                                     Connectivity::C18, Connectivity::C26};

Index3 random_size(test::RandomNumbers& random, Connectivity connectivity) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  return planar ? Index3{1 + random.below(200), 1 + random.below(200), 1 + random.below(2)}
                : Index3{1 + random.below(70), 1 + random.below(12), 1 + random.below(20)};
}

/// Returns noise of any density, or a snake that fills the grid.
std::vector<std::uint8_t> random_object(test::RandomNumbers& random, const Index3& size) {
  std::vector<std::uint8_t> object;
  const std::int64_t kind = random.below(5);
  const std::int64_t of_ten = 1 + random.below(9);
  for (std::int64_t i = 0; i < size[0] * size[1] * size[2]; ++i) {
    const std::int64_t x = i % size[0];
    const std::int64_t y = i / size[0] % size[1];
    const bool turn = y % 4 == 1 ? x == size[0] - 1 : x == 0;
    const bool snake = y % 2 == 0 || turn;
    object.push_back((kind == 0 ? snake : random.below(10) < of_ten) ? 1 : 0);
  }
  return object;
}

/// Returns each cell's component as the offset of its first cell; -1 outside.
std::vector<std::int64_t> by_flood(const Index3& size, const std::vector<std::uint8_t>& object,
                                   Connectivity connectivity) {
  std::vector<std::int64_t> first(object.size(), -1);
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  std::vector<std::int64_t> stack;
  for (std::int64_t start = 0; start < std::ssize(object); ++start) {
    if (object[static_cast<std::size_t>(start)] == 0 || first[static_cast<std::size_t>(start)] >= 0)
      continue;
    first[static_cast<std::size_t>(start)] = start;
    stack.assign(1, start);
    while (!stack.empty()) {
      const std::int64_t cell = stack.back();
      stack.pop_back();
      for (const NeighbourStep& step : steps) {
        const std::int64_t x = cell % size[0] + step.dx;
        const std::int64_t y = cell / size[0] % size[1] + step.dy;
        const std::int64_t z = cell / (size[0] * size[1]) + step.dz;
        if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) continue;
        const auto to = static_cast<std::size_t>(x + size[0] * (y + size[1] * z));
        if (object[to] == 0 || first[to] >= 0) continue;
        first[to] = start;
        stack.push_back(static_cast<std::int64_t>(to));
      }
    }
  }
  return first;
}

std::vector<std::int64_t> by_runs(const Index3& size, const std::vector<std::uint8_t>& object,
                                  Connectivity connectivity, int threads) {
  Context context(Context::Settings{.threads = threads});
  RunComponents components(
      size, connectivity,
      [&](std::int64_t row, std::uint8_t* inside) {
        std::copy_n(object.data() + row * size[0], size[0], inside);
      },
      context);
  std::vector<std::int64_t> first(object.size(), -1);
  std::map<std::int64_t, std::int64_t> first_cells;
  for (std::int64_t row = 0; row < size[1] * size[2]; ++row) {
    std::int64_t run = components.first_run(row);
    for (const RunComponents::Run& cells : components.runs(row)) {
      const std::int64_t begin = row * size[0] + cells.begin;
      const std::int64_t component = components.component_of(run++);
      const auto [known, is_new] = first_cells.try_emplace(component, begin);
      std::fill(first.begin() + begin, first.begin() + row * size[0] + cells.end, known->second);
    }
  }
  return first;
}

template <typename Voxel>
void check_reconstruction_of(std::uint64_t number, Connectivity connectivity) {
  test::RandomNumbers random(number);
  Geometry geometry;
  geometry.size = random_size(random, connectivity);
  const std::vector<std::uint8_t> object = random_object(random, geometry.size);
  const auto low = static_cast<Voxel>(std::is_signed_v<Voxel> ? -7 : 3);
  const Voxel high = 90;
  const std::int64_t one_in = random.of(std::array<std::int64_t, 3>{3, 100, 5000});
  const bool somewhere_below = random.below(4) == 0;
  std::vector<Voxel> mask;
  std::vector<Voxel> marker;
  const bool erosion = random.below(2) == 0;
  for (const std::uint8_t inside : object) {
    const Voxel outer = erosion ? high : low;
    mask.push_back((inside != 0) != erosion ? high : low);
    // Between the two values, sometimes beyond the mask, and occasionally outside both.
    const auto any = static_cast<Voxel>(static_cast<int>(low) +
                                        static_cast<int>(random.below(94 - static_cast<int>(low))));
    const auto beyond = static_cast<Voxel>(erosion ? high + 1 : low - 1);
    const bool is_any = random.below(one_in) == 0;
    const Voxel least = somewhere_below && random.below(50) == 0 ? beyond : outer;
    marker.push_back(is_any ? std::min(any, high) : least);
  }
  ReconstructionProblem problem;
  problem.connectivity = connectivity;
  problem.direction =
      erosion ? ReconstructionDirection::Erosion : ReconstructionDirection::Dilation;
  problem.mask = Volume(geometry, mask);
  problem.marker = Volume(geometry, marker);
  Context one(Context::Settings{.threads = 1});
  Context three(Context::Settings{.threads = 3});
  const Reconstruction expected = reconstruct_by_hybrid(problem, one);
  const Reconstruction tiles = reconstruct_by_tiles(problem, three);
  QVERIFY(std::ranges::equal(tiles.image.bytes(), expected.image.bytes()));
  QCOMPARE(tiles.clipped, expected.clipped);
  if (!has_two_values(problem)) return;
  for (Context* context : {&one, &three}) {
    const Reconstruction solved = reconstruct_by_runs(problem, *context);
    QVERIFY(std::ranges::equal(solved.image.bytes(), expected.image.bytes()));
    QCOMPARE(solved.clipped, expected.clipped);
  }
}

}  // namespace

class TestRunComponents : public QObject {
  Q_OBJECT
 private slots:
  void equal_a_flood();
  void reconstruct_under_two_values();
  void long_paths_switch_to_them();
  void knows_two_values();
};

void TestRunComponents::equal_a_flood() {
  for (const Connectivity connectivity : kConnectivities) {
    for (std::uint64_t number = 0; number < 60; ++number) {
      test::RandomNumbers random(number);
      const Index3 size = random_size(random, connectivity);
      const std::vector<std::uint8_t> object = random_object(random, size);
      const auto expected = by_flood(size, object, connectivity);
      QVERIFY(by_runs(size, object, connectivity, 1) == expected);
      QVERIFY(by_runs(size, object, connectivity, 3) == expected);
    }
  }
}

void TestRunComponents::reconstruct_under_two_values() {
  for (const Connectivity connectivity : kConnectivities) {
    for (std::uint64_t number = 0; number < 40; ++number) {
      check_reconstruction_of<std::uint8_t>(number, connectivity);
      check_reconstruction_of<std::int16_t>(number, connectivity);
      check_reconstruction_of<float>(number, connectivity);
    }
  }
}

/// A snake through many tiles, by dilation and by erosion. One marker lies at its end; another is
/// below both values where runs have to pass.
void TestRunComponents::long_paths_switch_to_them() {
  Geometry geometry;
  geometry.size = {600, 600, 1};
  std::vector<std::uint8_t> mask;
  for (std::int64_t i = 0; i < 600 * 600; ++i) {
    const std::int64_t x = i % 600;
    const std::int64_t y = i / 600;
    mask.push_back(y % 2 == 0 || x == (y % 4 == 1 ? 599 : 0) ? 200 : 10);
  }
  for (const auto elsewhere : {std::uint8_t{10}, std::uint8_t{0}}) {
    std::vector<std::uint8_t> marker(mask.size(), elsewhere);
    marker[599 * 600] = 10;
    marker[0] = 150;
    ReconstructionProblem problem;
    problem.mask = Volume(geometry, mask);
    problem.marker = Volume(geometry, marker);
    Context one;
    Context two(Context::Settings{.threads = 2});
    const Reconstruction expected = reconstruct_by_hybrid(problem, one);
    const Reconstruction solved = reconstruct_by_tiles(problem, two);
    QVERIFY(std::ranges::equal(solved.image.bytes(), expected.image.bytes()));
  }
}

void TestRunComponents::knows_two_values() {
  Geometry geometry;
  geometry.size = {100, 100, 1};
  std::vector<float> mask(10000, -0.0F);
  const auto knows = [&](float marker, ReconstructionDirection direction) {
    ReconstructionProblem problem;
    problem.direction = direction;
    problem.mask = Volume(geometry, mask);
    std::vector<float> markers(10000, 0.5F);
    markers[7000] = marker;
    problem.marker = Volume(geometry, markers);
    return has_two_values(problem);
  };
  constexpr auto kDilation = ReconstructionDirection::Dilation;
  constexpr auto kErosion = ReconstructionDirection::Erosion;
  constexpr float kFar = std::numeric_limits<float>::infinity();
  QVERIFY(!knows(0.5F, kDilation));
  mask[5] = 0.0F;
  QVERIFY(!knows(0.5F, kDilation));
  mask[9000] = 1.0F;
  QVERIFY(knows(0.5F, kDilation) && knows(0.5F, kErosion));
  QVERIFY(knows(0.0F, kDilation) && !knows(-0.1F, kDilation) && knows(kFar, kDilation));
  QVERIFY(knows(1.0F, kErosion) && !knows(1.1F, kErosion) && knows(-kFar, kErosion));
  mask[9999] = kFar;
  QVERIFY(!knows(0.5F, kDilation));
}

QTEST_GUILESS_MAIN(TestRunComponents)
#include "test_run_components.moc"
