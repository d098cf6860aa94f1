// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/watershed_in_slabs.h"
#include "tests/support/counted_memory.h"
#include "tests/support/random_volume.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/slab_order.h"
#include "tests/support/type_rows.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

WatershedProblem random_problem(test::RandomNumbers& random, const Index3& size, VoxelType type,
                                Connectivity connectivity) {
  WatershedProblem problem;
  Geometry geometry;
  geometry.size = size;
  problem.connectivity = connectivity;
  problem.image = test::random_volume(random, geometry, type);
  const std::int64_t one_in = random.of(std::array<std::int64_t, 3>{2, 8, 60});
  const std::int64_t labels = random.of(std::array<std::int64_t, 3>{3, 65535, 4294967295});
  const Label most = static_cast<Label>(std::max<std::int64_t>(labels, 256));
  problem.markers = make_labels(geometry, most, [&]<typename T>(std::vector<T>& markers) {
    for (T& marker : markers) {
      if (random.below(one_in) == 0) marker = static_cast<T>(1 + random.below(labels));
    }
  });
  if (random.below(2) == 0) {
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(geometry.voxel_count()));
    for (std::uint8_t& voxel : mask)
      voxel = random.below(4) == 0 ? 0 : 7;
    problem.mask = LabelMap(geometry, std::move(mask));
  }
  return problem;
}

}  // namespace

class TestWatershedInSlabs : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_flood_data();
  void equals_the_flood();
  void is_the_same_for_any_number_of_workers();
  void is_the_same_for_any_number_of_ranks();
  void floods_a_plateau_through_all_slabs();
  void counts_more_hops_than_two_bytes_hold();
  void takes_infinity_for_a_height();
  void keeps_to_a_memory_data();
  void keeps_to_a_memory();
};

void TestWatershedInSlabs::equals_the_flood_data() {
  test::add_type_rows();
}

/// Slabs of one to a few layers, in random order.
void TestWatershedInSlabs::equals_the_flood() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const bool planar = connectivity == 4 || connectivity == 8;
  for (std::uint64_t number = 0; number < 60; ++number) {
    test::RandomNumbers random(number);
    const Index3 size = planar
                            ? Index3{1 + random.below(16), 1 + random.below(16), 1}
                            : Index3{1 + random.below(7), 1 + random.below(7), 1 + random.below(7)};
    const WatershedProblem problem = random_problem(random, size, static_cast<VoxelType>(type),
                                                    static_cast<Connectivity>(connectivity));
    Context context;
    const SlabGrid slabs(size, 1 + random.below(4));
    QVERIFY2(watershed_in_slabs(problem, watershed::slab_solver_on_tiles(), slabs, context,
                                test::in_random_order(random))
                     .labels() == watershed_by_flood(problem, context).labels(),
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

/// Several slabs at once, in random order and in the default one.
void TestWatershedInSlabs::is_the_same_for_any_number_of_workers() {
  for (std::uint64_t number = 0; number < 150; ++number) {
    test::RandomNumbers random(number);
    // Thick slabs are visited in parts later.
    const bool thick = number % 4 == 0;
    const bool planar = thick || number % 3 != 0;
    const Index3 size =
        thick    ? Index3{1 + random.below(12), 80 + random.below(200), 1}
        : planar ? Index3{1 + random.below(40), 1 + random.below(60), 1}
                 : Index3{1 + random.below(9), 1 + random.below(9), 1 + random.below(30)};
    const auto connectivity = !planar                ? Connectivity::C26
                              : random.below(2) == 0 ? Connectivity::C4
                                                     : Connectivity::C8;
    const WatershedProblem problem = random_problem(
        random, size, random.below(2) == 0 ? VoxelType::U8 : VoxelType::I16, connectivity);
    WatershedSlabSolver solver = watershed::slab_solver_on_tiles();
    solver.altitudes = [altitudes = solver.altitudes](const ReconstructionProblem& part,
                                                      Context& own) {
      test::wait_a_moment();
      return altitudes(part, own);
    };
    Context shared(test::shared_by_some(random));
    const SlabGrid slabs(size, thick ? 17 + random.below(60) : 1 + random.below(4));
    const NextSlab next = random.below(2) == 0 ? test::in_random_order(random) : NextSlab();
    Context context;
    QVERIFY2(watershed_in_slabs(problem, solver, slabs, shared, next).labels() ==
                 watershed_by_flood(problem, context).labels(),
             qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

void TestWatershedInSlabs::is_the_same_for_any_number_of_ranks() {
  for (std::uint64_t number = 0; number < 100; ++number) {
    test::RandomNumbers random(number);
    const bool planar = number % 3 != 0;
    const Index3 size =
        planar ? Index3{1 + random.below(40), 1 + random.below(60), 1}
               : Index3{1 + random.below(9), 1 + random.below(9), 1 + random.below(30)};
    const WatershedProblem problem =
        random_problem(random, size, random.below(2) == 0 ? VoxelType::U8 : VoxelType::I16,
                       planar ? Connectivity::C8 : Connectivity::C26);
    Context context;
    const LabelMap expected = watershed_by_flood(problem, context);
    const auto count = static_cast<int>(2 + random.below(5));
    test::RanksInProcess all(count, std::chrono::microseconds(random.below(2) * 500), number);
    bool equal = false;
    all.run([&](const std::shared_ptr<Ranks>& ranks) {
      Context shared({.threads = 1, .ranks = ranks, .layers = 1 + ranks->rank()});
      const LabelMap got = watershed_by_tiles(problem, shared);
      if (ranks->rank() == 0) equal = got.labels() == expected.labels();
    });
    QVERIFY2(equal, qPrintable(QStringLiteral("problem %1").arg(number)));
  }
}

/// One marker at either end of a flat corridor that winds through all slabs: hops decide.
void TestWatershedInSlabs::floods_a_plateau_through_all_slabs() {
  constexpr std::int64_t kSide = 41;
  Geometry geometry;
  geometry.size = {kSide, kSide, 1};
  std::vector<std::uint16_t> mask(kSide * kSide);
  for (std::int64_t x = 0; x < kSide; ++x) {
    for (std::int64_t y = 0; y < kSide; ++y) {
      const bool turn = y == (x / 2 % 2 == 0 ? kSide - 1 : 0);
      mask[x + kSide * y] = x % 2 == 0 || turn ? 1 : 0;
    }
  }
  std::vector<std::uint16_t> markers(mask.size());
  markers[0] = 2;
  markers[kSide * kSide - 1] = markers[kSide - 1] = 1;
  WatershedProblem problem;
  problem.image = Volume(geometry, std::vector<std::uint8_t>(mask.size(), 7));
  problem.mask = LabelMap(geometry, std::move(mask));
  problem.markers = LabelMap(geometry, std::move(markers));
  Context context;
  const LabelMap expected = watershed_by_flood(problem, context);
  for (const std::int64_t layers : {1, 7, 20}) {
    QVERIFY(watershed_in_slabs(problem, watershed::slab_solver_on_tiles(),
                               SlabGrid(geometry.size, layers), context)
                .labels() == expected.labels());
  }
}

/// A flat line whose hops just fit into two bytes, just do not, or are far too many; and a marker
/// in its middle that halves them.
void TestWatershedInSlabs::counts_more_hops_than_two_bytes_hold() {
  for (const std::int64_t length : {65'535, 65'536, 65'537, 150'000}) {
    for (const bool halved : {false, true}) {
      Geometry geometry;
      geometry.size = {2, length, 1};
      std::vector<std::uint16_t> markers(static_cast<std::size_t>(2 * length));
      markers.front() = 2;
      if (halved) markers[static_cast<std::size_t>(length)] = 1;
      WatershedProblem problem;
      problem.image = Volume(geometry, std::vector<std::uint8_t>(markers.size(), 7));
      problem.markers = LabelMap(geometry, std::move(markers));
      problem.connectivity = Connectivity::C8;
      Context context;
      const LabelMap labels = watershed_in_slabs(problem, watershed::slab_solver_on_tiles(),
                                                 SlabGrid(geometry.size, length / 5 + 1), context);
      QVERIFY2(labels.labels() == watershed_by_flood(problem, context).labels(),
               qPrintable(QStringLiteral("length %1").arg(length)));
    }
  }
}

void TestWatershedInSlabs::takes_infinity_for_a_height() {
  constexpr float kFar = std::numeric_limits<float>::infinity();
  Geometry geometry;
  geometry.size = {1, 8, 1};
  WatershedProblem problem;
  problem.image =
      Volume(geometry, std::vector<float>{kFar, 1.0F, kFar, kFar, -kFar, -0.0F, kFar, kFar});
  problem.markers = LabelMap(geometry, std::vector<std::uint16_t>{0, 3, 0, 0, 0, 2, 0, 0});
  problem.mask = LabelMap(geometry, std::vector<std::uint16_t>{1, 1, 1, 1, 1, 1, 1, 0});
  Context context;
  QVERIFY(watershed_in_slabs(problem, watershed::slab_solver_on_tiles(), SlabGrid(geometry.size, 2),
                             context)
              .labels() == watershed_by_flood(problem, context).labels());
}

void TestWatershedInSlabs::keeps_to_a_memory_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("connectivity");
  for (const VoxelType type : {VoxelType::U8, VoxelType::U16, VoxelType::F32}) {
    for (const int connectivity : {4, 26}) {
      QTest::addRow("%s, %d neighbours", std::string(name_of(type)).c_str(), connectivity)
          << static_cast<int>(type) << connectivity;
    }
  }
}

void TestWatershedInSlabs::keeps_to_a_memory() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  constexpr std::int64_t kOfAThread = 500'000;
  const Index3 size = connectivity == 4 ? Index3{300, 900, 1} : Index3{60, 60, 70};
  test::RandomNumbers random(9);
  const WatershedProblem problem = random_problem(random, size, static_cast<VoxelType>(type),
                                                  static_cast<Connectivity>(connectivity));
  const Geometry& geometry = problem.image.geometry();
  const std::int64_t least =
      least_watershed_bytes(geometry, problem.image.type(), problem.connectivity);
  Context whole;
  const LabelMap expected = watershed_by_tiles(problem, whole);
  for (const std::int64_t budget : {least, least * 5 / 4, least * 2}) {
    Context context({.threads = 1, .memory = budget});
    const test::CountedMemory counted;
    const LabelMap labels = watershed_by_tiles(problem, context);
    const std::int64_t taken =
        counted.most() - static_cast<std::int64_t>(expected.labels().size_bytes());
    QVERIFY(labels.labels() == expected.labels());
    QVERIFY2(taken <= budget + kOfAThread,
             qPrintable(QStringLiteral("%1 of %2").arg(taken).arg(budget)));
  }
  // States kept between the passes lie in files, and do not count.
  Context with_files({.threads = 1, .memory = least / 2, .in_files = true, .layers = 1000});
  QVERIFY(watershed_by_tiles(problem, with_files).labels() == expected.labels());
  Context too_little({.memory = least - 1});
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(watershed_by_tiles(problem, too_little)),
                           UnavailableError);
}

QTEST_GUILESS_MAIN(TestWatershedInSlabs)
#include "test_watershed_in_slabs.moc"
