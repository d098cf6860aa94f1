// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/tiles/slabs_on_bricks.h"
#include "core/fuzzy/tiles/tiles.h"
#include "tests/support/counted_memory.h"
#include "tests/support/random_fuzzy_problem.h"
#include "tests/support/random_numbers.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/slab_order.h"

#include <QTest>

#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;
using fuzzy::Answer;

namespace {

/// Returns random scene `number`: some patches, which make long paths, and some noise.
fuzzy::Problem problem_of(const Index3& size, Connectivity connectivity, int number) {
  const int labels = 1 + number % 5 + (number % 7 == 0 ? 20 : 0);
  const test::RandomSegmentation input = test::random_segmentation(
      {.size = size,
       .type = VoxelType::U16,
       .labels = std::max(2, std::min<int>(labels, static_cast<int>(size[0] * size[1] * size[2]))),
       .mask = number % 3 == 0 ? test::WithMask::Yes : test::WithMask::No,
       .texture = number % 2 == 0 ? test::Texture::Patches : test::Texture::Noise},
      number);
  return test::fuzzy_problem(
      input, connectivity,
      number % 2 == 0 ? test::Statistics::OfEachLabel : test::Statistics::Given);
}

bool same(const Answer& a, const Answer& b) {
  return a.labels == b.labels && a.strength == b.strength;
}

std::int64_t least_for(const fuzzy::Problem& problem, fuzzy::Passes passes) {
  const fuzzy::SlabDemand demand = fuzzy::demand_of(problem);
  const Geometry& geometry = problem.scene.geometry;
  return least_budget(geometry.size, fuzzy::slab_bytes_on_bricks(demand),
                      fuzzy::fixed_bytes_on_bricks(passes, geometry.voxel_count(), demand));
}

/// Names the kinds of connectedness whose answer in slabs is not that of the bucket queue.
std::string different_answers(const fuzzy::Problem& problem, const fuzzy::SlabSolver& solver,
                              const SlabGrid& slabs, Context& context, const NextSlab& next) {
  Context whole;
  std::string different;
  if (!same(fuzzy::irfc_in_slabs(problem, solver, slabs, context, next),
            fuzzy::irfc_by_dijkstra(problem, whole)))
    different += ", irfc";
  if (!same(fuzzy::rfc_in_slabs(problem, solver, slabs, context, next),
            fuzzy::rfc_by_dijkstra(problem, whole)))
    different += ", rfc";
  return different;
}

}  // namespace

class TestSlabs : public QObject {
  Q_OBJECT
 private slots:
  void equal_the_bucket_queue_data() {
    QTest::addColumn<int>("connectivity");
    for (const int connectivity : {4, 8, 6, 18, 26})
      QTest::addRow("%d neighbours", connectivity) << connectivity;
  }
  /// Slabs of one to a few layers, in random order.
  void equal_the_bucket_queue() {
    QFETCH(int, connectivity);
    const bool planar = connectivity == 4 || connectivity == 8;
    const fuzzy::SlabSolver solver = fuzzy::slab_solver_on_bricks(fuzzy::best_kernel());
    for (int number = 0; number < 100; ++number) {
      test::RandomNumbers random(static_cast<std::uint64_t>(number));
      const Index3 size =
          planar ? Index3{2 + random.below(22), 4 + random.below(24), 1}
                 : Index3{2 + random.below(8), 2 + random.below(8), 2 + random.below(12)};
      const fuzzy::Problem problem =
          problem_of(size, static_cast<Connectivity>(connectivity), number);
      Context context({.threads = 1 + number % 2});
      const SlabGrid slabs(size, 1 + random.below(5));
      const std::string words = "problem " + std::to_string(number);
      const std::string differs =
          different_answers(problem, solver, slabs, context, test::in_random_order(random));
      QVERIFY2(differs.empty(), (words + differs).c_str());
    }
  }

  void are_the_same_for_any_number_of_workers_data() { equal_the_bucket_queue_data(); }
  /// Several slabs at once, in random order and in the default one.
  void are_the_same_for_any_number_of_workers() {
    QFETCH(int, connectivity);
    const bool planar = connectivity == 4 || connectivity == 8;
    fuzzy::SlabSolver solver = fuzzy::slab_solver_on_bricks(fuzzy::best_kernel());
    solver.strengths = [strengths = solver.strengths](const fuzzy::Problem& part,
                                                      const std::vector<fuzzy::Source>& sources,
                                                      Context& own) {
      test::wait_a_moment();
      return strengths(part, sources, own);
    };
    for (int number = 0; number < 30; ++number) {
      test::RandomNumbers random(static_cast<std::uint64_t>(number));
      // Thick slabs are visited in parts later.
      const bool thick = number % 4 == 0;
      const Index3 size =
          planar ? Index3{2 + random.below(thick ? 12 : 40), 4 + random.below(thick ? 200 : 60), 1}
                 : Index3{2 + random.below(thick ? 4 : 8), 2 + random.below(thick ? 4 : 8),
                          2 + random.below(thick ? 120 : 40)};
      const fuzzy::Problem problem =
          problem_of(size, static_cast<Connectivity>(connectivity), number);
      Context shared(test::shared_by_some(random));
      const SlabGrid slabs(size, thick ? 17 + random.below(40) : 1 + random.below(5));
      const NextSlab next = random.below(2) == 0 ? test::in_random_order(random) : NextSlab();
      const std::string words = "problem " + std::to_string(number);
      const std::string differs = different_answers(problem, solver, slabs, shared, next);
      QVERIFY2(differs.empty(), (words + differs).c_str());
    }
  }

  void are_the_same_for_any_number_of_ranks_data() { equal_the_bucket_queue_data(); }
  void are_the_same_for_any_number_of_ranks() {
    QFETCH(int, connectivity);
    const bool planar = connectivity == 4 || connectivity == 8;
    for (int number = 0; number < 20; ++number) {
      test::RandomNumbers random(static_cast<std::uint64_t>(number));
      const Index3 size =
          planar ? Index3{2 + random.below(40), 4 + random.below(60), 1}
                 : Index3{2 + random.below(8), 2 + random.below(8), 2 + random.below(40)};
      const fuzzy::Problem problem =
          problem_of(size, static_cast<Connectivity>(connectivity), number);
      Context whole;
      const Answer irfc = fuzzy::irfc_by_dijkstra(problem, whole);
      const Answer rfc = fuzzy::rfc_by_dijkstra(problem, whole);
      const auto count = static_cast<int>(2 + random.below(5));
      test::RanksInProcess all(count, std::chrono::microseconds(random.below(2) * 500),
                               static_cast<std::uint64_t>(number));
      bool equal = false;
      all.run([&](const std::shared_ptr<Ranks>& ranks) {
        Context shared({.threads = 1, .ranks = ranks, .layers = 1 + 3 * ranks->rank()});
        const Answer first = fuzzy::irfc_by_tiles(problem, shared);
        const Answer second = fuzzy::rfc_by_tiles(problem, shared);
        if (ranks->rank() == 0) equal = same(first, irfc) && same(second, rfc);
      });
      QVERIFY2(equal, ("problem " + std::to_string(number)).c_str());
    }
  }

  void keep_to_a_memory_data() { equal_the_bucket_queue_data(); }
  /// Memory limits from the minimum up, over several bricks each way; allocations must stay below.
  void keep_to_a_memory() {
    QFETCH(int, connectivity);
    constexpr std::int64_t kOfAThread = 600'000;
    const bool planar = connectivity == 4 || connectivity == 8;
    const Index3 size = planar ? Index3{120, 500, 1} : Index3{40, 35, 60};
    for (int number = 1; number < 3; ++number) {
      const fuzzy::Problem problem =
          problem_of(size, static_cast<Connectivity>(connectivity), number);
      Context whole;
      const Answer irfc = fuzzy::irfc_by_tiles(problem, whole);
      const Answer rfc = fuzzy::rfc_by_tiles(problem, whole);
      const auto answer_bytes = static_cast<std::int64_t>(4 * irfc.labels.size());
      for (const fuzzy::Passes passes : {fuzzy::Passes::Irfc, fuzzy::Passes::Rfc}) {
        const std::int64_t least = least_for(problem, passes);
        for (const std::int64_t budget : {least, least * 5 / 4, least * 2}) {
          Context context({.threads = 1, .memory = budget});
          const test::CountedMemory counted;
          const Answer answer = passes == fuzzy::Passes::Irfc
                                    ? fuzzy::irfc_by_tiles(problem, context)
                                    : fuzzy::rfc_by_tiles(problem, context);
          const std::int64_t taken = counted.most() - answer_bytes;
          QVERIFY(same(answer, passes == fuzzy::Passes::Irfc ? irfc : rfc));
          QVERIFY2(taken <= budget + kOfAThread,
                   qPrintable(QStringLiteral("%1 of %2").arg(taken).arg(budget)));
        }
        Context too_little({.memory = least - 1});
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(passes == fuzzy::Passes::Irfc
                                                       ? fuzzy::irfc_by_tiles(problem, too_little)
                                                       : fuzzy::rfc_by_tiles(problem, too_little)),
                                 UnavailableError);
      }
    }
  }

  void stop_when_asked() {
    const fuzzy::Problem problem = problem_of({40, 40, 40}, Connectivity::C6, 2);
    std::stop_source stop;
    int reports = 0;
    Context context({.stop = stop.get_token(),
                     .progress =
                         [&](const std::string&, double fraction) {
                           QVERIFY(fraction >= 0.0 && fraction <= 1.0);
                           if (++reports == 5) stop.request_stop();
                         },
                     .threads = 1});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(fuzzy::irfc_in_slabs(
                                 problem, fuzzy::slab_solver_on_bricks(fuzzy::best_kernel()),
                                 SlabGrid({40, 40, 40}, 8), context)),
                             Cancelled);
  }

  /// A brick needs its memory as soon as one of its cells belongs to the slab.
  void a_brick_that_is_begun_counts_whole() {
    constexpr std::int64_t kSide = 16;
    const auto bytes = fuzzy::slab_bytes_on_bricks({});
    const auto grown = [&](int axis, std::int64_t from) {
      Index3 size{kSide, kSide, kSide};
      size[axis] = from;
      const std::int64_t before = bytes(size);
      ++size[axis];
      return bytes(size) - before;
    };
    for (int axis = 0; axis < 3; ++axis) {
      QVERIFY(grown(axis, kSide) > 4 * grown(axis, kSide + 1));
      QVERIFY(grown(axis, 2 * kSide) > 4 * grown(axis, 2 * kSide - 1));
    }
  }
};

QTEST_GUILESS_MAIN(TestSlabs)
#include "test_slabs.moc"
