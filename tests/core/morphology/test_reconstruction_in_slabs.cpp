// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/morphology/reconstruction_in_slabs.h"
#include "tests/reference/reconstruction.h"
#include "tests/support/counted_memory.h"
#include "tests/support/random_volume.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/slab_order.h"
#include "tests/support/type_rows.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

using namespace seedwave;
using test::random_volume;
using test::values_of;

namespace {

ReconstructionProblem random_problem(test::RandomNumbers& random, VoxelType type,
                                     Connectivity connectivity, std::int64_t longest) {
  const bool planar = connectivity == Connectivity::C4 || connectivity == Connectivity::C8;
  Geometry geometry;
  geometry.size = {1 + random.below(longest), 1 + random.below(longest),
                   planar ? 1 : 1 + random.below(longest / 2)};
  geometry.spacing = {0.5, 0.7, 1.5};
  ReconstructionProblem problem;
  problem.connectivity = connectivity;
  problem.direction =
      random.below(2) == 0 ? ReconstructionDirection::Dilation : ReconstructionDirection::Erosion;
  problem.mask = random_volume(random, geometry, type);
  problem.marker = random_volume(random, geometry, type);
  return problem;
}

/// Returns corridors along y, connected at the top and at the bottom. The path from its one marker
/// runs through all rows again and again.
ReconstructionProblem snake(std::int64_t nx, std::int64_t ny, Connectivity connectivity) {
  Geometry geometry;
  geometry.size = {nx, ny, 1};
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(nx * ny));
  for (std::int64_t x = 0; x < nx; ++x) {
    for (std::int64_t y = 0; y < ny; ++y) {
      const bool turn = y == (x / 2 % 2 == 0 ? ny - 1 : 0);
      mask[x + nx * y] = x % 2 == 0 || turn ? static_cast<std::uint8_t>(255 - x % 50) : 0;
    }
  }
  std::vector<std::uint8_t> marker(mask.size());
  marker[0] = 250;
  ReconstructionProblem problem;
  problem.connectivity = connectivity;
  problem.mask = Volume(geometry, std::move(mask));
  problem.marker = Volume(geometry, std::move(marker));
  return problem;
}

bool same(const Reconstruction& a, const Reconstruction& b) {
  return std::ranges::equal(a.image.bytes(), b.image.bytes()) && a.clipped == b.clipped &&
         a.image.type() == b.image.type() && same_grid(a.image.geometry(), b.image.geometry());
}

/// Counts the calls of a solver, and the cells that it was given.
struct Counted {
  std::atomic<int> visits = 0;
  std::atomic<std::int64_t> cells = 0;
  ReconstructionSolver solver(ReconstructionSolver inner) {
    return
        [this, inner = std::move(inner)](const ReconstructionProblem& problem, Context& context) {
          ++visits;
          cells += problem.mask.geometry().voxel_count();
          return inner(problem, context);
        };
  }
};

}  // namespace

class TestReconstructionInSlabs : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_definition_data();
  void equals_the_definition();
  void is_the_same_for_any_number_of_workers();
  void is_the_same_for_any_number_of_ranks();
  void equals_the_whole_within_a_budget_data();
  void equals_the_whole_within_a_budget();
  void follows_a_snake_through_all_slabs();
  void takes_no_more_memory_than_stated_data();
  void takes_no_more_memory_than_stated();
  void says_the_least_memory();
  void stops_when_asked();
};

void TestReconstructionInSlabs::equals_the_definition_data() {
  test::add_type_rows();
}

/// Slabs of one to a few layers, in random order, each solved by another algorithm.
void TestReconstructionInSlabs::equals_the_definition() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const std::vector<ReconstructionSolver> solvers{reconstruct_by_tiles, reconstruct_by_hybrid,
                                                  reconstruct_by_queue, reconstruct_by_scans};
  for (std::uint64_t number = 0; number < 120; ++number) {
    test::RandomNumbers random(number);
    const ReconstructionProblem problem =
        random_problem(random, static_cast<VoxelType>(type),
                       static_cast<Connectivity>(connectivity), connectivity < 9 ? 13 : 9);
    const bool by_erosion = problem.direction == ReconstructionDirection::Erosion;
    Context context;
    const SlabGrid slabs(problem.mask.geometry().size, 1 + random.below(4));
    const Reconstruction solved = reconstruct_in_slabs(
        problem, solvers[number % solvers.size()], slabs, context, test::in_random_order(random));
    QVERIFY2(values_of(solved.image) ==
                 reference::reconstruction(problem.marker, problem.mask, connectivity, by_erosion),
             qPrintable(QStringLiteral("problem %1").arg(number)));
    QVERIFY(same(solved, reconstruct_by_hybrid(problem, context)));
  }
}

/// Several slabs at once, with delays, in random order and in the default one; also snakes, which
/// lead through all slabs again and again.
void TestReconstructionInSlabs::is_the_same_for_any_number_of_workers() {
  for (std::uint64_t number = 0; number < 400; ++number) {
    test::RandomNumbers random(number);
    const auto connectivity = number % 4 == 3   ? Connectivity::C6
                              : number % 2 == 0 ? Connectivity::C4
                                                : Connectivity::C8;
    // Thick slabs are visited in parts later.
    const bool thick = number % 5 == 0;
    const ReconstructionProblem problem =
        number % 8 == 0
            ? snake(2 * random.below(12) + 5, 20 + random.below(180), connectivity)
            : random_problem(random, random.below(2) == 0 ? VoxelType::U8 : VoxelType::F32,
                             connectivity, thick ? 160 : 60);
    Context context;
    const Reconstruction expected = reconstruct_by_hybrid(problem, context);
    Context shared(test::shared_by_some(random));
    const SlabGrid slabs(problem.mask.geometry().size,
                         thick ? 17 + random.below(60) : 1 + random.below(5));
    const ReconstructionSolver solver = [](const ReconstructionProblem& part, Context& own) {
      test::wait_a_moment();
      return reconstruct_by_tiles(part, own);
    };
    const NextSlab next = random.below(2) == 0 ? test::in_random_order(random) : NextSlab();
    QVERIFY2(same(reconstruct_in_slabs(problem, solver, slabs, shared, next), expected),
             qPrintable(QStringLiteral("problem %1").arg(number)));
    std::int64_t visits = 0;
    for (const WorkDone& done : shared.work_done())
      visits += done.visits;
    QVERIFY(visits >= slabs.count());
  }
}

/// Also more ranks than layers, some of them with several workers.
void TestReconstructionInSlabs::is_the_same_for_any_number_of_ranks() {
  std::int64_t messages = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    test::RandomNumbers random(number);
    const auto connectivity = number % 4 == 3   ? Connectivity::C6
                              : number % 2 == 0 ? Connectivity::C4
                                                : Connectivity::C8;
    const ReconstructionProblem problem =
        number % 8 == 0
            ? snake(2 * random.below(12) + 5, 20 + random.below(60), connectivity)
            : random_problem(random, random.below(2) == 0 ? VoxelType::U8 : VoxelType::F32,
                             connectivity, number % 5 == 0 ? 160 : 40);
    Context context;
    const Reconstruction expected = reconstruct_by_hybrid(problem, context);
    const auto count = static_cast<int>(2 + random.below(6));
    test::RanksInProcess all(count, std::chrono::microseconds(random.below(2) * 500), number);
    bool equal = false;
    all.run([&](const std::shared_ptr<Ranks>& ranks) {
      test::RandomNumbers own(number * 10 + static_cast<std::uint64_t>(ranks->rank()));
      Context::Settings settings{.threads = 1};
      if (own.below(3) == 0) settings = test::shared_by_some(own);
      settings.ranks = ranks;
      settings.layers = 1 + own.below(30);
      Context shared(settings);
      const Reconstruction got = reconstruct_by_tiles(problem, shared);
      if (ranks->rank() == 0) equal = same(got, expected);
    });
    QVERIFY2(equal, qPrintable(QStringLiteral("problem %1").arg(number)));
    messages += all.messages();
  }
  QVERIFY(messages > 1000);
}

void TestReconstructionInSlabs::equals_the_whole_within_a_budget_data() {
  equals_the_definition_data();
}

/// Budgets between the minimum and that of the whole: 1 to 7 slabs and more.
void TestReconstructionInSlabs::equals_the_whole_within_a_budget() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  const bool planar = connectivity == 4 || connectivity == 8;
  int parts = 0;
  for (std::uint64_t number = 0; number < 6; ++number) {
    test::RandomNumbers random(number);
    ReconstructionProblem problem =
        random_problem(random, static_cast<VoxelType>(type),
                       static_cast<Connectivity>(connectivity), planar ? 400 : 60);
    Context whole({.threads = 2});
    const Reconstruction expected = reconstruct_by_tiles(problem, whole);
    const Geometry& geometry = problem.mask.geometry();
    const std::int64_t least =
        least_reconstruction_bytes(geometry, static_cast<VoxelType>(type), problem.connectivity);
    for (const std::int64_t budget : {least, least + least / 3, 2 * least, 4 * least}) {
      Context within({.threads = 2, .memory = budget});
      QVERIFY2(same(reconstruct_by_tiles(problem, within), expected),
               qPrintable(QStringLiteral("problem %1, %2 bytes").arg(number).arg(budget)));
      Counted counted;
      const BytesForSize bytes = [&](const Index3& size) {
        return size[0] * size[1] * size[2] * 5;
      };
      Context again;
      const std::int64_t few = bytes(geometry.size) * (1 + random.below(4)) / 5;
      if (few < least_budget(geometry.size, bytes)) continue;
      QVERIFY(same(reconstruct_within(slabs_within(few, geometry.size, bytes), problem,
                                      counted.solver(reconstruct_by_tiles), again),
                   expected));
      parts += counted.visits > 1 ? 1 : 0;
    }
  }
  QVERIFY(parts > 10);
}

void TestReconstructionInSlabs::follows_a_snake_through_all_slabs() {
  for (const Connectivity connectivity : {Connectivity::C4, Connectivity::C8}) {
    for (const std::int64_t layers : {7, 32, 64, 100}) {
      const ReconstructionProblem problem = snake(99, 200, connectivity);
      Context context;
      const Reconstruction expected = reconstruct_by_hybrid(problem, context);
      Counted counted;
      const SlabGrid slabs(problem.mask.geometry().size, layers);
      const Reconstruction solved =
          reconstruct_in_slabs(problem, counted.solver(reconstruct_by_tiles), slabs, context);
      QVERIFY(same(solved, expected));
      // 49 corridors, each through all slabs; a later visit goes deeper in a few steps, the last of
      // which is the whole slab.
      QVERIFY(counted.visits >= 49 * (slabs.count() - 1));
      const std::int64_t cells_of_all = 99 * (200 + 2 * slabs.count());
      QVERIFY2(counted.cells <= 51 * cells_of_all * 14 / 10,
               qPrintable(QStringLiteral("%1 of %2").arg(counted.cells).arg(cells_of_all)));
    }
  }
}

void TestReconstructionInSlabs::takes_no_more_memory_than_stated_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("connectivity");
  QTest::addColumn<int>("share");
  for (const VoxelType type : {VoxelType::U8, VoxelType::U16, VoxelType::F32}) {
    for (const int connectivity : {8, 6}) {
      for (const int share : {2, 5, 9}) {
        QTest::addRow("%s, %d neighbours, 1/%d", std::string(name_of(type)).c_str(), connectivity,
                      share)
            << static_cast<int>(type) << connectivity << share;
      }
    }
  }
}

/// All allocations while it runs, minus the result and the memory of each thread.
void TestReconstructionInSlabs::takes_no_more_memory_than_stated() {
  QFETCH(int, type);
  QFETCH(int, connectivity);
  QFETCH(int, share);
  constexpr std::int64_t kOfAThread = 300'000;
  test::RandomNumbers random(5);
  Geometry geometry;
  geometry.size = connectivity == 8 ? Index3{900, 1500, 1} : Index3{120, 110, 120};
  ReconstructionProblem problem;
  problem.connectivity = static_cast<Connectivity>(connectivity);
  problem.mask = random_volume(random, geometry, static_cast<VoxelType>(type));
  problem.marker = random_volume(random, geometry, static_cast<VoxelType>(type));
  const auto result = static_cast<std::int64_t>(problem.mask.bytes().size());
  const std::int64_t budget = std::max(
      6 * result / share,
      least_reconstruction_bytes(geometry, static_cast<VoxelType>(type), problem.connectivity));
  Context context({.threads = 1, .memory = budget});
  test::CountedMemory counted;
  const Reconstruction solved = reconstruct_by_tiles(problem, context);
  QVERIFY2(counted.most() - result <= budget + kOfAThread,
           qPrintable(QStringLiteral("%1 of %2").arg(counted.most() - result).arg(budget)));
  QVERIFY(counted.most() - result > budget / 4);  // the counting works
}

void TestReconstructionInSlabs::says_the_least_memory() {
  test::RandomNumbers random(1);
  Geometry geometry;
  geometry.size = {640, 480, 1};
  ReconstructionProblem problem;
  problem.mask = random_volume(random, geometry, VoxelType::U8);
  problem.marker = problem.mask;
  const std::int64_t least = least_reconstruction_bytes(geometry, VoxelType::U8, Connectivity::C4);
  Context enough({.memory = least});
  QVERIFY(same(reconstruct_by_tiles(problem, enough), {problem.mask, 0}));
  Context too_little({.memory = least - 1});
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(reconstruct_by_tiles(problem, too_little)),
                           UnavailableError);
}

void TestReconstructionInSlabs::stops_when_asked() {
  const ReconstructionProblem problem = snake(400, 400, Connectivity::C4);
  std::stop_source stop;
  int reports = 0;
  double last = 0.0;
  Context context({.stop = stop.get_token(),
                   .progress =
                       [&](const std::string&, double fraction) {
                         QVERIFY(fraction >= last && fraction <= 1.0);
                         last = fraction;
                         if (++reports == 40) stop.request_stop();
                       },
                   .threads = 1});
  QVERIFY_EXCEPTION_THROWN(
      static_cast<void>(reconstruct_in_slabs(problem, reconstruct_by_hybrid,
                                             SlabGrid(problem.mask.geometry().size, 30), context)),
      Cancelled);
}

QTEST_GUILESS_MAIN(TestReconstructionInSlabs)
#include "test_reconstruction_in_slabs.moc"
