// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/wavefront/partitions/work_in_parts.h"
#include "tests/support/random_numbers.h"
#include "tests/support/slab_order.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace seedwave;
using std::chrono::milliseconds;

namespace {

/// Counts how often each item was computed.
class Items {
 public:
  explicit Items(const LayerRange& own) : own_(own), times_(index(own.end)) {}

  void compute(const LayerRange& part) {
    const std::lock_guard lock(mutex_);
    most_ = std::max(most_, part.layers());
    least_ = std::min(least_, part.layers());
    ++parts_;
    for (std::int64_t item = part.begin; item < part.end; ++item)
      ++times_.at(index(item));
  }
  [[nodiscard]] bool are_done_once() const {
    for (std::int64_t item = 0; item < own_.end; ++item)
      if (times_[index(item)] != (own_.holds(item) ? 1 : 0)) return false;
    return true;
  }
  [[nodiscard]] std::int64_t parts() const { return parts_; }
  [[nodiscard]] std::int64_t least() const { return least_; }
  [[nodiscard]] std::int64_t most() const { return most_; }

 private:
  static std::size_t index(std::int64_t item) { return static_cast<std::size_t>(item); }

  LayerRange own_;
  std::mutex mutex_;  // guards all below
  std::vector<int> times_;
  std::int64_t parts_ = 0;
  std::int64_t least_ = 1 << 30;
  std::int64_t most_ = 0;
};

LayerRange random_range(test::RandomNumbers& random) {
  const std::int64_t begin = random.below(20);
  return {begin, begin + random.below(random.below(2) == 0 ? 8 : 400)};
}

}  // namespace

class TestWorkInParts : public QObject {
  Q_OBJECT
 private slots:
  void every_item_is_computed_once();
  void parts_are_as_large_as_asked();
  void one_worker_gets_all_with_the_runs_own_context();
  void nothing_to_do_is_nothing_done();
  void workers_have_their_device_threads_and_share_of_the_memory();
  void a_part_whose_worker_failed_is_begun_anew();
  void the_report_tells_who_did_what();
  void a_slow_worker_holds_nobody_up();
  void stops_when_asked();
};

void TestWorkInParts::every_item_is_computed_once() {
  for (std::uint64_t number = 0; number < 1000; ++number) {
    test::RandomNumbers random(number);
    const LayerRange own = random_range(random);
    Items items(own);
    Context context(
        {.threads = 1, .workers = std::vector<Worker>(static_cast<std::size_t>(random.below(6)))});
    for_each_part(
        {.own = own, .fewest = 1 + random.below(40), .most = random.below(9)},
        [&](const LayerRange& part, Context&) {
          test::wait_a_moment();
          items.compute(part);
        },
        context);
    QVERIFY2(items.are_done_once(), qPrintable(QString::number(number)));
  }
}

/// Eight parts for each of four workers, fewer if these were too small, but one for each.
void TestWorkInParts::parts_are_as_large_as_asked() {
  const auto parts_of = [](std::int64_t fewest, std::int64_t most) {
    const LayerRange own{0, 1000};
    Items items(own);
    Context context({.threads = 1, .workers = std::vector<Worker>(4)});
    for_each_part(
        {.own = own, .fewest = fewest, .most = most},
        [&](const LayerRange& part, Context&) { items.compute(part); }, context);
    if (most > 0 && items.most() > most) return std::int64_t{-1};
    return items.parts();
  };
  QCOMPARE(parts_of(1, 0), std::int64_t{32});
  QCOMPARE(parts_of(100, 0), std::int64_t{10});
  QCOMPARE(parts_of(700, 0), std::int64_t{4});
  QCOMPARE(parts_of(700, 10), std::int64_t{100});
}

void TestWorkInParts::one_worker_gets_all_with_the_runs_own_context() {
  Context context({.memory = 1 << 20});
  int calls = 0;
  for_each_part(
      {.own = {3, 900}},
      [&](const LayerRange& part, Context& own) {
        ++calls;
        QCOMPARE(&own, &context);
        QCOMPARE(part.begin, std::int64_t{3});
        QCOMPARE(part.end, std::int64_t{900});
      },
      context);
  QCOMPARE(calls, 1);
  Items items({3, 900});
  for_each_part(
      {.own = {3, 900}, .most = 100},
      [&](const LayerRange& part, Context& own) {
        QCOMPARE(own.memory(), std::int64_t{1 << 20});
        items.compute(part);
      },
      context);
  QVERIFY(items.are_done_once());
  QCOMPARE(items.parts(), std::int64_t{9});
}

void TestWorkInParts::nothing_to_do_is_nothing_done() {
  for (const std::size_t workers : {0, 3}) {
    Context context({.threads = 1, .workers = std::vector<Worker>(workers)});
    for_each_part(
        {.own = {7, 7}}, [](const LayerRange&, Context&) { QFAIL("called"); }, context);
  }
}

void TestWorkInParts::workers_have_their_device_threads_and_share_of_the_memory() {
  Context context(
      {.workers = {{.device = 3, .threads = 2}, {.device = kCpu, .threads = 5}}, .memory = 1000});
  std::mutex mutex;
  std::set<std::pair<int, int>> seen;
  for_each_part(
      {.own = {0, 40}},
      [&](const LayerRange&, Context& own) {
        std::this_thread::sleep_for(milliseconds(2));
        own.add_stage_time("upload", 1.0);
        const std::lock_guard lock(mutex);
        QCOMPARE(own.memory(), std::int64_t{500});
        QCOMPARE(own.sharers(), std::int64_t{1});
        seen.emplace(own.device(), own.threads());
      },
      context);
  QVERIFY(seen == (std::set<std::pair<int, int>>{{3, 2}, {kCpu, 5}}));
  QCOMPARE(context.stage_times().front().stage, std::string("upload"));
  QVERIFY(context.stage_times().front().ms >= 14.0);
}

/// It has written some of it, and added up nothing.
void TestWorkInParts::a_part_whose_worker_failed_is_begun_anew() {
  int failures = 0;
  for (std::uint64_t number = 0; number < 500; ++number) {
    test::RandomNumbers random(number);
    const LayerRange own{0, 1 + random.below(60)};
    Context context({.workers = {{.device = 0}, {.device = 1}, {.device = kCpu}}});
    const std::int64_t first = random.below(5);
    const std::int64_t second = random.below(5);
    std::atomic<std::int64_t> by_first = 0;
    std::atomic<std::int64_t> by_second = 0;
    std::vector<int> written(static_cast<std::size_t>(own.end));
    Items added(own);
    for_each_part(
        {.own = own},
        [&](const LayerRange& part, Context& worker) {
          test::wait_a_moment();
          for (std::int64_t item = part.begin; item < part.end; ++item) {
            written[static_cast<std::size_t>(item)] = static_cast<int>(item) + 1;
            if (worker.device() == 0 && ++by_first > first) throw DeviceFault("fell off the bus");
            if (worker.device() == 1 && ++by_second > second)
              throw UnavailableError("the device is full");
          }
          added.compute(part);
        },
        context);
    QVERIFY2(added.are_done_once(), qPrintable(QString::number(number)));
    for (std::int64_t item = 0; item < own.end; ++item)
      QCOMPARE(written[static_cast<std::size_t>(item)], static_cast<int>(item) + 1);
    for (const WorkDone& done : context.work_done())
      failures += done.failure.empty() ? 0 : 1;
  }
  QVERIFY(failures > 200);
}

void TestWorkInParts::the_report_tells_who_did_what() {
  for (const std::int64_t items : {1, 2, 50}) {
    Context context({.workers = {{.device = 0}, {.device = kCpu}}});
    for_each_part(
        {.own = {0, items}, .cells_each = 30},
        [&](const LayerRange&, Context&) { std::this_thread::sleep_for(milliseconds(1)); },
        context);
    std::int64_t cells = 0;
    std::int64_t visits = 0;
    double busy_ms = 0.0;
    for (const WorkDone& done : context.work_done()) {
      cells += done.cells;
      visits += done.visits;
      busy_ms += done.busy_ms;
    }
    QCOMPARE(cells, 30 * items);
    QCOMPARE(visits, std::min<std::int64_t>(items, 13));
    QVERIFY(busy_ms >= static_cast<double>(visits));
  }
}

/// Its part is taken from it when nothing else is left, and it adds nothing.
void TestWorkInParts::a_slow_worker_holds_nobody_up() {
  Context context({.workers = {{.device = 0}, {.device = kCpu}}});
  Items items({0, 32});
  const auto start = std::chrono::steady_clock::now();
  for_each_part(
      {.own = {0, 32}},
      [&](const LayerRange& part, Context& own) {
        const int rounds = own.on_cpu() ? 20'000 : 2;
        for (int i = 0; i < rounds; ++i) {
          std::this_thread::sleep_for(milliseconds(1));
          own.checkpoint(0.0);
        }
        items.compute(part);
      },
      context);
  QVERIFY(std::chrono::steady_clock::now() - start < std::chrono::seconds(15));
  QVERIFY(items.are_done_once());
}

void TestWorkInParts::stops_when_asked() {
  for (const std::size_t workers : {0, 2, 4}) {
    std::stop_source stop;
    Context context({.stop = stop.get_token(), .workers = std::vector<Worker>(workers)});
    std::atomic<int> calls = 0;
    const auto body = [&](const LayerRange&, Context& own) {
      if (++calls == 3) stop.request_stop();
      own.checkpoint(0.5);
    };
    QVERIFY_EXCEPTION_THROWN(for_each_part({.own = {0, 90}, .most = 1}, body, context), Cancelled);
    QVERIFY(calls >= 3 && calls <= 3 + static_cast<int>(workers));
  }
}

QTEST_GUILESS_MAIN(TestWorkInParts)
#include "test_work_in_parts.moc"
