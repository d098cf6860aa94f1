// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/wavefront/engine.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::int64_t kTiles = 300;

double no_progress(int) {
  return 0.0;
}

/// Returns a queue with all tiles queued.
TileQueue full_queue(std::int64_t tiles = kTiles) {
  TileQueue queue(tiles, 0);
  for (std::int64_t tile = 0; tile < tiles; ++tile)
    queue.wake(tile, 0);
  return queue;
}

std::int64_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

}  // namespace

class TestEngine : public QObject {
  Q_OBJECT
 private slots:
  void a_front_reaches_every_tile_data();
  void a_front_reaches_every_tile();
  void fronts_cross_while_all_tiles_wait_data();
  void fronts_cross_while_all_tiles_wait();
  void a_visit_that_throws_ends_the_run_data() { a_front_reaches_every_tile_data(); }
  void a_visit_that_throws_ends_the_run();
  void a_stop_ends_the_run_data() { a_front_reaches_every_tile_data(); }
  void a_stop_ends_the_run();
  void has_no_more_workers_than_tiles();
};

void TestEngine::a_front_reaches_every_tile_data() {
  QTest::addColumn<int>("threads");
  for (const int threads : {1, 2, 5})
    QTest::addRow("%d threads", threads) << threads;
}

void TestEngine::a_front_reaches_every_tile() {
  QFETCH(int, threads);
  // The largest number travels from one end of a row of tiles to the other.
  std::vector<std::atomic<int>> numbers(kTiles);
  numbers[0] = 7;
  TileQueue queue(kTiles, 0);
  queue.wake(0, 0);
  Context context({.threads = threads});
  run_tiles(
      std::move(queue), context,
      [&](std::int64_t tile, int, std::vector<Wake>& wakes) {
        const int own = numbers[tile];
        for (const std::int64_t other : {tile - 1, tile + 1}) {
          if (other < 0 || other >= kTiles || numbers[other] >= own) continue;
          numbers[other] = own;
          wakes.push_back({other, 0});
        }
      },
      no_progress);
  for (const std::atomic<int>& number : numbers)
    QCOMPARE(number.load(), 7);
}

void TestEngine::fronts_cross_while_all_tiles_wait_data() {
  QTest::addColumn<int>("threads");
  for (int threads = 1; threads <= 8; ++threads)
    QTest::addRow("%d threads", threads) << threads;
}

void TestEngine::fronts_cross_while_all_tiles_wait() {
  QFETCH(int, threads);
  // Far more tiles than are taken at once. The value is the distance to the nearer end of the row,
  // which spreads from both ends. A tile publishes its value only at the end of its visit, as real
  // ones do.
  constexpr std::int64_t kMany = 5000;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::atomic<std::int64_t>> distances(kMany);
    for (std::atomic<std::int64_t>& distance : distances)
      distance = kMany;
    distances[0] = distances[kMany - 1] = 0;
    // The tiles that wait at first: all, or blocks of them; the ends always.
    TileQueue queue(kMany, 0);
    const std::int64_t block = seed == 0 ? kMany : static_cast<std::int64_t>(1 + random() % 100);
    for (std::int64_t tile = 0; tile < kMany; ++tile) {
      if (tile / block % 2 == 0 || tile == kMany - 1) queue.wake(tile, 0);
    }
    std::vector<std::atomic<int>> owners(kMany);
    std::atomic<int> shared = 0;
    Context context({.threads = threads});
    run_tiles(
        std::move(queue), context,
        [&](std::int64_t tile, int, std::vector<Wake>& wakes) {
          shared += owners[tile].fetch_add(1);
          std::int64_t least = distances[tile];
          for (const std::int64_t other : {tile - 1, tile + 1}) {
            if (other >= 0 && other < kMany) least = std::min(least, distances[other] + 1);
          }
          distances[tile] = least;
          for (const std::int64_t other : {tile - 1, tile + 1}) {
            if (other >= 0 && other < kMany && distances[other] > least + 1)
              wakes.push_back({other, 0});
          }
          owners[tile].fetch_sub(1);
        },
        no_progress);
    QCOMPARE(shared.load(), 0);
    for (std::int64_t tile = 0; tile < kMany; ++tile)
      QCOMPARE(distances[tile].load(), std::min(tile, kMany - 1 - tile));
  }
}

void TestEngine::a_visit_that_throws_ends_the_run() {
  QFETCH(int, threads);
  Context context({.threads = threads});
  try {
    run_tiles(
        full_queue(), context,
        [](std::int64_t tile, int, std::vector<Wake>&) {
          if (tile == 40) throw std::runtime_error("tile 40");
        },
        no_progress);
    QFAIL("tile 40 throws");
  } catch (const std::runtime_error& error) {
    QCOMPARE(error.what(), "tile 40");
  }
}

void TestEngine::a_stop_ends_the_run() {
  QFETCH(int, threads);
  std::stop_source stop;
  Context context({.stop = stop.get_token(), .threads = threads});
  std::atomic<int> after_the_stop = 0;
  const auto visit = [&](std::int64_t tile, int, std::vector<Wake>& wakes) {
    after_the_stop += stop.stop_requested() ? 1 : 0;
    if (tile == 40) stop.request_stop();
    wakes.push_back({(tile + 1) % kTiles, 0});  // never converges
  };
  QVERIFY_EXCEPTION_THROWN(run_tiles(full_queue(), context, visit, no_progress), Cancelled);
  QVERIFY(after_the_stop <= threads);
}

void TestEngine::has_no_more_workers_than_tiles() {
  // Worker 0 is the thread that started the others, so all exist when it runs.
  const std::int64_t before = threads_of_this_process();
  std::atomic<std::int64_t> during = 0;
  Context context({.threads = 16});
  run_tiles(
      full_queue(3), context,
      [&](std::int64_t tile, int worker, std::vector<Wake>& wakes) {
        if (worker == 0) during = threads_of_this_process();
        if (during == 0) wakes.push_back({tile, 0});
      },
      no_progress);
  QVERIFY2(during <= before + 2, qPrintable(QString::number(during)));
}

QTEST_GUILESS_MAIN(TestEngine)
#include "test_engine.moc"
