// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/engine/job_runner.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>

using namespace seedwave;
using namespace std::chrono_literals;

namespace {

/// Collects the ends of jobs, and waits for one.
class Outcomes {
 public:
  void add(std::uint64_t job, const JobOutcome& outcome) {
    const std::lock_guard lock(mutex_);
    outcomes_[job] = outcome;
    changed_.notify_all();
  }
  JobOutcome wait_for(std::uint64_t job) {
    std::unique_lock lock(mutex_);
    const bool came = changed_.wait_for(lock, 20s, [&] { return outcomes_.contains(job); });
    return came ? outcomes_[job] : JobOutcome{JobEnd::Failed, "timed out"};
  }
  bool has(std::uint64_t job) {
    const std::lock_guard lock(mutex_);
    return outcomes_.contains(job);
  }

 private:
  std::mutex mutex_;  // guards outcomes_
  std::condition_variable changed_;
  std::map<std::uint64_t, JobOutcome> outcomes_;
};

/// Works until it is asked to stop.
void work_for_ever(Context& context) {
  while (true)
    context.checkpoint(0.5);
}

}  // namespace

class TestJobRunner : public QObject {
  Q_OBJECT
 private slots:
  void the_newest_job_wins();
  void cancel_stops_the_job_in_flight();
  void failures_arrive_as_words_data();
  void failures_arrive_as_words();
  void destruction_while_working_does_not_hang();
  void jobs_share_the_cache();
};

void TestJobRunner::the_newest_job_wins() {
  Outcomes outcomes;
  std::atomic<int> ran = 0;
  JobRunner runner([](auto...) {}, [&](auto job, const auto& end) { outcomes.add(job, end); });
  std::atomic<bool> started = false;
  const auto first = runner.submit([&](Context& context) {
    started = true;
    work_for_ever(context);
  });
  while (!started)
    std::this_thread::yield();
  std::uint64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    last = runner.submit([&](Context&) { ++ran; });
  }
  QCOMPARE(outcomes.wait_for(last).end, JobEnd::Done);
  QCOMPARE(outcomes.wait_for(first).end, JobEnd::Cancelled);
  QVERIFY(last > first);
  QVERIFY(ran >= 1);
}

void TestJobRunner::cancel_stops_the_job_in_flight() {
  Outcomes outcomes;
  std::atomic<bool> started = false;
  JobRunner runner([](auto...) {}, [&](auto job, const auto& end) { outcomes.add(job, end); });
  const auto job = runner.submit([&](Context& context) {
    started = true;
    work_for_ever(context);
  });
  QVERIFY(runner.busy());
  while (!started)
    std::this_thread::yield();
  runner.cancel();
  QCOMPARE(outcomes.wait_for(job).end, JobEnd::Cancelled);
}

void TestJobRunner::failures_arrive_as_words_data() {
  QTest::addColumn<int>("what");
  QTest::newRow("input") << 0;
  QTest::newRow("unavailable") << 1;
  QTest::newRow("out of memory") << 2;
  QTest::newRow("unexpected") << 3;
}

void TestJobRunner::failures_arrive_as_words() {
  QFETCH(int, what);
  Outcomes outcomes;
  JobRunner runner([](auto...) {}, [&](auto job, const auto& end) { outcomes.add(job, end); });
  const auto job = runner.submit([&](Context&) {
    if (what == 0) throw InputError("paint a stroke first");
    if (what == 1) throw UnavailableError("no device");
    if (what == 2) throw std::bad_alloc();
    throw std::runtime_error("oops");
  });
  const JobOutcome outcome = outcomes.wait_for(job);
  QCOMPARE(outcome.end, JobEnd::Failed);
  QVERIFY(!outcome.message.empty());
}

void TestJobRunner::destruction_while_working_does_not_hang() {
  Outcomes outcomes;
  std::uint64_t job = 0;
  {
    JobRunner runner([](auto...) {},
                     [&](auto number, const auto& end) { outcomes.add(number, end); });
    std::atomic<bool> started = false;
    job = runner.submit([&](Context& context) {
      started = true;
      work_for_ever(context);
    });
    while (!started)
      std::this_thread::yield();
  }
  QVERIFY(outcomes.has(job));
}

void TestJobRunner::jobs_share_the_cache() {
  Outcomes outcomes;
  JobRunner runner([](auto...) {}, [&](auto job, const auto& end) { outcomes.add(job, end); });
  const auto put = runner.submit([](Context& context) {
    context.cache().put("answer", std::make_shared<int>(42), sizeof(int));
  });
  QCOMPARE(outcomes.wait_for(put).end, JobEnd::Done);
  int seen = 0;
  const auto get = runner.submit([&](Context& context) {
    if (const auto answer = context.cache().find<int>("answer")) seen = *answer;
  });
  QCOMPARE(outcomes.wait_for(get).end, JobEnd::Done);
  QCOMPARE(seen, 42);
}

QTEST_GUILESS_MAIN(TestJobRunner)
#include "test_job_runner.moc"
