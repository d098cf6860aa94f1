// SPDX-License-Identifier: Apache-2.0
// Images of several bricks: sizes around the brick's 16, whereas test_definitions stays inside one.
// The reference is the bucket queue, which that test compares with the definitions.
#include "core/base/error.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/tiles/kernel.h"
#include "core/fuzzy/tiles/tiles.h"
#include "tests/support/random_fuzzy_problem.h"

#include <QTest>

#include <atomic>
#include <stop_token>
#include <string>
#include <vector>

using namespace seedwave;
using fuzzy::Answer;

namespace {

struct Case {
  Index3 size;
  Connectivity connectivity;
  int labels;
  test::WithMask mask;
};

constexpr int kTrials = 6;

void add_rows() {
  QTest::addColumn<Case>("c");
  // 2 labels have one digit, 3 two, 9 four; 40 a code of twelve planes.
  const auto add = [](const Index3& size, Connectivity connectivity,
                      const std::vector<int>& label_counts = {2, 3, 9}) {
    for (const int labels : label_counts) {
      const auto mask = labels == 3 ? test::WithMask::Yes : test::WithMask::No;
      const std::string name = std::to_string(size[0]) + 'x' + std::to_string(size[1]) + 'x' +
                               std::to_string(size[2]) + ", " +
                               std::to_string(static_cast<int>(connectivity)) + "-connected, " +
                               std::to_string(labels) + " labels" + (labels == 3 ? ", mask" : "");
      QTest::newRow(name.c_str()) << Case{size, connectivity, labels, mask};
    }
  };
  for (const Index3& size : {Index3{16, 16, 1}, Index3{17, 33, 1}, Index3{100, 1, 1},
                             Index3{1, 40, 1}, Index3{31, 15, 1}}) {
    for (const auto connectivity : {Connectivity::C4, Connectivity::C8})
      add(size, connectivity);
  }
  for (const Index3& size : {Index3{16, 16, 16}, Index3{17, 15, 33}, Index3{33, 18, 2},
                             Index3{1, 1, 50}, Index3{1, 17, 17}, Index3{32, 1, 31}}) {
    for (const auto connectivity : {Connectivity::C6, Connectivity::C18, Connectivity::C26}) {
      add(size, connectivity);
    }
  }
  // A single plane has nothing below it to connect to; in a volume of planes each one is isolated.
  add({17, 33, 1}, Connectivity::C6);
  add({33, 2, 1}, Connectivity::C26, {2});
  add({17, 18, 3}, Connectivity::C4, {2, 3});
  add({34, 17, 19}, Connectivity::C8, {2});
  // More than 16 bricks, many labels.
  add({70, 35, 20}, Connectivity::C6, {2});
  add({33, 34, 18}, Connectivity::C6, {40});
  add({20, 33, 5}, Connectivity::C18, {40});
  add({70, 66, 1}, Connectivity::C4, {2, 40});
}

fuzzy::Problem make_problem(const Case& c, int number) {
  const test::RandomSegmentation input = test::random_segmentation(
      {.size = c.size, .type = VoxelType::U16, .labels = c.labels, .mask = c.mask}, number);
  return test::fuzzy_problem(
      input, c.connectivity,
      number % 2 == 0 ? test::Statistics::OfEachLabel : test::Statistics::Given);
}

/// Returns a block of noise in which two levels of affinity wind through all bricks.
fuzzy::Problem noise(const Index3& size, Connectivity connectivity) {
  return make_problem({size, connectivity, 4, test::WithMask::No}, 11);
}

std::string words(int number, int threads, const fuzzy::TileKernel& kernel) {
  return "trial " + std::to_string(number) + ", " + std::to_string(threads) + " threads, " +
         kernel.name;
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class TestTiles : public QObject {
  Q_OBJECT
 private slots:
  void equal_the_bucket_queue_across_bricks_data() { add_rows(); }
  void equal_the_bucket_queue_across_bricks() {
    QFETCH(Case, c);
    for (int number = 0; number < kTrials; ++number) {
      const fuzzy::Problem problem = make_problem(c, number);
      Context context;
      const Answer irfc = fuzzy::irfc_by_dijkstra(problem, context);
      const Answer rfc = fuzzy::rfc_by_dijkstra(problem, context);
      const int threads = 1 + number % 4;
      for (const auto* kernel : {&fuzzy::best_kernel(), &fuzzy::plain_kernel()}) {
        const std::string where = words(number, threads, *kernel);
        Context workers({.threads = threads});
        const Answer irfc_tiles = fuzzy::irfc_on_bricks(problem, *kernel, workers);
        QVERIFY2(irfc_tiles.strength == irfc.strength, where.c_str());
        QVERIFY2(irfc_tiles.labels == irfc.labels, where.c_str());
        const Answer rfc_tiles = fuzzy::rfc_on_bricks(problem, *kernel, workers);
        QVERIFY2(rfc_tiles.strength == rfc.strength, where.c_str());
        QVERIFY2(rfc_tiles.labels == rfc.labels, where.c_str());
      }
    }
  }

  void every_thread_count_gives_the_same_bits_every_time_data() {
    QTest::addColumn<Connectivity>("connectivity");
    QTest::newRow("6-connected") << Connectivity::C6;
    QTest::newRow("26-connected") << Connectivity::C26;
  }
  void every_thread_count_gives_the_same_bits_every_time() {
    QFETCH(Connectivity, connectivity);
    const fuzzy::Problem problem = noise({50, 40, 35}, connectivity);
    Context one({.threads = 1});
    const Answer expected = fuzzy::irfc_by_dijkstra(problem, one);
    for (int threads = 1; threads <= 8; ++threads) {
      for (int run = 0; run < 3; ++run) {
        Context context({.threads = threads});
        const Answer answer = fuzzy::irfc_by_tiles(problem, context);
        QVERIFY(answer.labels == expected.labels);
        QVERIFY(answer.strength == expected.strength);
      }
    }
  }

  void dijkstra_reports_and_stops_on_the_way() {
    // More cells than are visited between two checks.
    const fuzzy::Problem problem = noise({64, 64, 64}, Connectivity::C6);
    for (const auto solve : {fuzzy::irfc_by_dijkstra, fuzzy::rfc_by_dijkstra}) {
      std::stop_source stop;
      Context context({.stop = stop.get_token(), .progress = [&](const std::string&, double done) {
                         if (done > 0.0 && done < 1.0) stop.request_stop();
                       }});
      QVERIFY_EXCEPTION_THROWN((void)solve(problem, context), Cancelled);
      QVERIFY(stop.stop_requested());
    }
  }

  void a_stop_ends_the_run_on_every_thread_count() {
    // So many bricks that worker 0, which reports progress, gets some even if there are few per
    // worker.
    const fuzzy::Problem problem = noise({140, 140, 140}, Connectivity::C6);
    for (const int threads : {1, 2, 5}) {
      std::stop_source stop;
      std::atomic<int> reports = 0;
      Context context({.stop = stop.get_token(),
                       .progress =
                           [&](const std::string&, double) {
                             ++reports;
                             stop.request_stop();
                           },
                       .threads = threads});
      QVERIFY_EXCEPTION_THROWN((void)fuzzy::irfc_by_tiles(problem, context), Cancelled);
      QVERIFY(reports <= 2);
    }
  }
};

QTEST_GUILESS_MAIN(TestTiles)
#include "test_tiles.moc"
