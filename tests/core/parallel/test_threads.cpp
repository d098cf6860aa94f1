// SPDX-License-Identifier: Apache-2.0
// parallel_for and run_workers: the range they cover, the exceptions they throw, and their
// behaviour without threads.
#include "core/base/error.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/workers.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <pthread.h>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace seedwave;

namespace {

/// Prevents new threads during its lifetime: each would need a stack larger than the address space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_init(&attributes_);
    pthread_getattr_default_np(&attributes_);
    pthread_attr_getstacksize(&attributes_, &before_);
    set(std::size_t{1} << 47);
  }
  ~NoMoreThreads() {
    set(before_);
    pthread_attr_destroy(&attributes_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  void set(std::size_t stack) {
    pthread_attr_setstacksize(&attributes_, stack);
    pthread_setattr_default_np(&attributes_);
  }
  pthread_attr_t attributes_{};
  std::size_t before_ = 0;
};

}  // namespace

class TestThreads : public QObject {
  Q_OBJECT
 private slots:
  void parallel_for_covers_every_item_once_data();
  void parallel_for_covers_every_item_once();
  void parallel_for_with_one_thread_stays_on_the_calling_one();
  void parallel_for_begins_with_a_share_of_the_whole();
  void loops_end_soon_after_a_stop_is_asked_for_data();
  void loops_end_soon_after_a_stop_is_asked_for();
  void serial_for_goes_in_order_on_the_calling_thread();
  void after_an_exception_no_range_is_begun();
  void parallel_for_rethrows_data();
  void parallel_for_rethrows();
  void workers_all_run_at_the_same_time();
  void workers_rethrow_after_all_have_ended();
  void workers_go_on_with_the_threads_that_there_are();
  void counts_the_threads_that_there_are();
};

void TestThreads::parallel_for_covers_every_item_once_data() {
  QTest::addColumn<int>("threads");
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("grain");
  for (const int threads : {1, 2, 5}) {
    for (const int count : {0, 1, 7, 8, 9, 1000}) {
      for (const int grain : {0, 1, 8, 5000}) {
        QTest::addRow("%d threads, %d items, grain %d", threads, count, grain)
            << threads << count << grain;
      }
    }
  }
}

void TestThreads::parallel_for_covers_every_item_once() {
  QFETCH(int, threads);
  QFETCH(int, count);
  QFETCH(int, grain);
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
  Context context({.threads = threads});
  parallel_for(context, count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      ++visits[static_cast<std::size_t>(i)];
  });
  for (const std::atomic<int>& visit : visits)
    QCOMPARE(visit.load(), 1);
}

void TestThreads::parallel_for_with_one_thread_stays_on_the_calling_one() {
  Context context({.threads = 1});
  std::set<std::thread::id> threads;
  parallel_for(context, 1000, 1,
               [&](std::int64_t, std::int64_t) { threads.insert(std::this_thread::get_id()); });
  QCOMPARE(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

// Items one by one would cost more than the work on them.
void TestThreads::parallel_for_begins_with_a_share_of_the_whole() {
  Context context({.threads = 1});
  std::int64_t first = 0;
  parallel_for(context, 1'000'000, 1, [&](std::int64_t begin, std::int64_t end) {
    if (begin == 0) first = end;
  });
  QVERIFY2(first > 1000 && first < 100'000, std::to_string(first).c_str());
}

void TestThreads::loops_end_soon_after_a_stop_is_asked_for_data() {
  QTest::addColumn<int>("threads");  // 0: serial_for
  for (const int threads : {0, 1, 3})
    QTest::addRow("%d threads", threads) << threads;
}

void TestThreads::loops_end_soon_after_a_stop_is_asked_for() {
  QFETCH(int, threads);
  constexpr std::int64_t kItems = 4'000;  // a millisecond each, so a range is not all of them
  std::stop_source stop;
  std::atomic<std::int64_t> done = 0;
  Context context({.stop = stop.get_token(), .threads = std::max(1, threads)});
  const auto body = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (++done == 50) stop.request_stop();
    }
  };
  if (threads == 0) {
    QVERIFY_THROWS_EXCEPTION(Cancelled, serial_for(context, kItems, body));
  } else {
    QVERIFY_THROWS_EXCEPTION(Cancelled, parallel_for(context, kItems, 1, body));
  }
  // About ten per worker pass between two checks. On a busy machine sleeps are longer, and there
  // are fewer.
  QVERIFY2(done < 200, qPrintable(QString("%1 items").arg(done)));
}

void TestThreads::serial_for_goes_in_order_on_the_calling_thread() {
  Context context({.threads = 4});
  std::vector<std::int64_t> items;
  serial_for(context, 100'000, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      items.push_back(i);
  });
  QCOMPARE(std::ssize(items), 100'000);
  QVERIFY(std::is_sorted(items.begin(), items.end()));
}

void TestThreads::after_an_exception_no_range_is_begun() {
  Context context({.threads = 1});
  int ranges = 0;
  QVERIFY_THROWS_EXCEPTION(InputError,
                           parallel_for(context, 1000, 1, [&](std::int64_t, std::int64_t) {
                             ++ranges;
                             throw InputError("this one");
                           }));
  QCOMPARE(ranges, 1);
}

void TestThreads::parallel_for_rethrows_data() {
  QTest::addColumn<int>("threads");
  for (const int threads : {1, 4})
    QTest::addRow("%d threads", threads) << threads;
}

void TestThreads::parallel_for_rethrows() {
  QFETCH(int, threads);
  Context context({.threads = threads});
  const auto fail_at_70 = [](std::int64_t begin, std::int64_t end) {
    if (begin <= 70 && 70 < end) throw InputError("item 70");
  };
  try {
    parallel_for(context, 100, 1, fail_at_70);
    QFAIL("item 70 throws");
  } catch (const InputError& error) {
    QCOMPARE(std::string(error.what()), std::string("item 70"));
  }
}

void TestThreads::workers_all_run_at_the_same_time() {
  // Each waits until all have arrived; on fewer threads than workers this would not end.
  constexpr int kWorkers = 4;
  std::atomic<int> there = 0;
  std::vector<std::thread::id> ids(kWorkers);
  run_workers(kWorkers, [&](int worker) {
    ids[static_cast<std::size_t>(worker)] = std::this_thread::get_id();
    ++there;
    while (there < kWorkers)
      std::this_thread::yield();
  });
  QCOMPARE(std::set<std::thread::id>(ids.begin(), ids.end()).size(), std::size_t{kWorkers});
  QVERIFY(ids[0] == std::this_thread::get_id());
}

void TestThreads::workers_rethrow_after_all_have_ended() {
  for (const int failing : {0, 2}) {
    std::atomic<int> ended = 0;
    const auto body = [&](int worker) {
      if (worker == failing) throw std::runtime_error("worker");
      ++ended;
    };
    QVERIFY_EXCEPTION_THROWN(run_workers(3, body), std::runtime_error);
    QCOMPARE(ended.load(), 2);
  }
}

void TestThreads::workers_go_on_with_the_threads_that_there_are() {
  const NoMoreThreads none;
  std::vector<int> ran;
  run_workers(4, [&](int worker) { ran.push_back(worker); });
  QCOMPARE(ran, std::vector<int>{0});
}

void TestThreads::counts_the_threads_that_there_are() {
  QCOMPARE(threads_to_be_had(4), 4);
  QCOMPARE(threads_to_be_had(1), 1);
  QCOMPARE(threads_to_be_had(0), 1);
  const NoMoreThreads none;
  QCOMPARE(threads_to_be_had(4), 1);
}

QTEST_GUILESS_MAIN(TestThreads)
#include "test_threads.moc"
