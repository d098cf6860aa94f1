// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/wavefront/partitions/one_device.h"
#include "tests/support/checkpoint_in_memory.h"
#include "tests/support/ranks_in_process.h"

#include <QTest>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace seedwave;

namespace {

constexpr Worker kCores{.device = kCpu, .threads = 2};
constexpr Worker kFirst{.device = 3, .threads = 1};
constexpr Worker kSecond{.device = 5, .threads = 1};

/// Returns the devices on which the whole was solved.
std::vector<int> solved_on(Context& run, bool& solved) {
  std::vector<int> devices;
  solved = solved_by_one_device(run, 100, [&](Context& alone) {
    devices.push_back(alone.device());
    if (alone.is_shared()) devices.push_back(-1);
    alone.add_stage_time("upload", 2.0);
  });
  return devices;
}

std::vector<int> solved_on(const Context::Settings& settings) {
  Context run(settings);
  bool solved = false;
  const std::vector<int> devices = solved_on(run, solved);
  return solved == devices.empty() ? std::vector{-2} : devices;
}

}  // namespace

class TestOneDevice : public QObject {
  Q_OBJECT

 private slots:
  void solves_the_whole_where_one_shares();
  void that_failed_before_does_not();
  void is_not_used_where_the_run_must_be_divided();
  void leaves_the_run_to_all_if_it_fails();
};

void TestOneDevice::solves_the_whole_where_one_shares() {
  Context run({.workers = {kCores, kFirst, kSecond}});
  bool solved = false;
  QCOMPARE(solved_on(run, solved), std::vector{3});
  QVERIFY(solved);
  const std::vector<WorkDone> work = run.work_done();
  QCOMPARE(work[0].visits + work[2].visits, 0);
  QCOMPARE(work[1].visits, 1);
  QCOMPARE(work[1].cells, 100);
  QCOMPARE(run.stage_times().size(), std::size_t{1});
  QCOMPARE(run.stage_times()[0].ms, 2.0);
}

void TestOneDevice::that_failed_before_does_not() {
  Context run({.workers = {kFirst, kCores, kSecond}});
  run.add_work(0, {.failure = "it is gone"});
  bool solved = false;
  QCOMPARE(solved_on(run, solved), std::vector{5});
  run.add_work(2, {.failure = "it is gone"});
  QCOMPARE(solved_on(run, solved), std::vector<int>());
  QVERIFY(!solved);
}

void TestOneDevice::is_not_used_where_the_run_must_be_divided() {
  const std::vector<int> nowhere;
  const std::vector<Worker> both{kFirst, kCores};
  QCOMPARE(solved_on({.workers = both}), std::vector{3});
  QCOMPARE(solved_on({.device = 3}), nowhere);
  QCOMPARE(solved_on({.workers = {kCores, kCores}}), nowhere);
  QCOMPARE(solved_on({.workers = both, .layers = 40}), nowhere);
  test::KeptStates kept(1, 2);
  QCOMPARE(solved_on({.workers = both, .saved = kept.checkpoint()}), nowhere);
  test::RanksInProcess all(2, std::chrono::microseconds(0), 1);
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    QCOMPARE(solved_on({.workers = both, .ranks = ranks}), nowhere);
  });
}

void TestOneDevice::leaves_the_run_to_all_if_it_fails() {
  Context run({.workers = {kFirst, kCores}});
  QVERIFY(!solved_by_one_device(run, 100, [](Context&) { throw UnavailableError("full"); }));
  QVERIFY(!solved_by_one_device(run, 100, [](Context&) { throw DeviceFault("gone"); }));
  QCOMPARE(run.work_done()[0].visits, 0);
  QVERIFY_THROWS_EXCEPTION(InputError, static_cast<void>(solved_by_one_device(
                                           run, 100, [](Context&) { throw InputError("NaN"); })));
}

QTEST_GUILESS_MAIN(TestOneDevice)
#include "test_one_device.moc"
