// SPDX-License-Identifier: Apache-2.0
// Generated from the operation table: every implementation that several processes and workers can
// share, on random inputs. All must get the bits that one gets. A new operation or algorithm is
// included by being shared.
#include "core/ops/run.h"
#include "tests/support/random_request.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/run_digests.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace seedwave;

namespace {

constexpr std::uint64_t kRequests = 48;
constexpr std::int64_t kMostVoxels = 5000;

/// Returns the number of processes that got what is expected: the outputs for the first one, and
/// nothing for others. Each has other threads and workers, and parts of another thickness.
int count_equal(const OperationTable& table, const RunRequest& request, int count,
                std::uint64_t seed, const std::string& expected) {
  test::RanksInProcess all(count, std::chrono::microseconds(50), seed);
  std::atomic<int> equal = 0;
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    const std::size_t workers = ranks->rank() % 2 == 0 ? 0 : 2;
    Context shared({.threads = 1 + ranks->rank() % 3,
                    .workers = std::vector<Worker>(workers, {.device = kCpu}),
                    .ranks = ranks,
                    .layers = 1 + 2 * ranks->rank()});
    const RunReport report = run_operation(table, request, shared);
    equal += ranks->rank() == 0 ? test::digests_of(report) == expected : report.outputs.empty();
  });
  return equal;
}

/// Returns groups of one and of two threads.
std::vector<Worker> groups(std::int64_t count) {
  std::vector<Worker> workers;
  for (std::int64_t i = 0; i < count; ++i)
    workers.push_back({.device = kCpu, .threads = 1 + static_cast<int>(i % 2)});
  return workers;
}

/// Waits as long as it takes to start a thread: parts of small images take less.
void let_others_begin() {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

/// Returns the settings of a run in which one worker fails when it looks for the `looks`th time
/// whether it is to stop.
Context::Settings failing_at(std::int64_t looks, const std::shared_ptr<std::atomic<int>>& seen) {
  return {.progress =
              [looks, seen](const std::string&, double) {
                if (++*seen == looks) throw UnavailableError("the device is full");
              },
          .threads = 1,
          .workers = groups(3),
          .layers = 2};
}

/// Calls body(request, expected digests, number) for random requests of the current row, and
/// returns for how many.
template <typename Body>
int for_requests(const OperationTable& table, Body&& body) {
  QFETCH(QString, operation);
  QFETCH(QString, algorithm);
  int compared = 0;
  for (std::uint64_t number = 0; number < kRequests; ++number) {
    RunRequest request = test::random_request(table.at(operation.toStdString()), number);
    if (request.inputs.image.geometry().voxel_count() > kMostVoxels) continue;
    request.how.algorithm = algorithm.toStdString();
    request.how.backend = Backend::Cpu;
    const auto expected = test::digests_alone(table, request);
    if (!expected) continue;
    body(request, *expected, number);
    if (QTest::currentTestFailed()) return compared;
    ++compared;
  }
  return compared;
}

}  // namespace

class TestSharedRuns : public QObject {
  Q_OBJECT
 private slots:
  void give_every_process_the_same_bits_data();
  void give_every_process_the_same_bits();
  void give_the_bits_of_one_worker_data();
  void give_the_bits_of_one_worker();
  void outlive_a_worker_that_fails_data();
  void outlive_a_worker_that_fails();
};

void TestSharedRuns::give_every_process_the_same_bits_data() {
  test::add_cpu_implementations([](Sharing sharing) { return sharing != Sharing::None; });
}

void TestSharedRuns::give_every_process_the_same_bits() {
  const OperationTable table = make_operation_table();
  const auto compare = [&](const RunRequest& request, const std::string& expected,
                           std::uint64_t number) {
    for (const int count : {1, 2, 3, 5}) {
      QVERIFY2(count_equal(table, request, count, number, expected) == count,
               qPrintable(QStringLiteral("request %1, %2 processes").arg(number).arg(count)));
    }
  };
  QVERIFY(for_requests(table, compare) > 10);
}

void TestSharedRuns::give_the_bits_of_one_worker_data() {
  give_every_process_the_same_bits_data();
}

/// And the report says who did what.
void TestSharedRuns::give_the_bits_of_one_worker() {
  const OperationTable table = make_operation_table();
  int shared = 0;
  const auto compare = [&](const RunRequest& request, const std::string& expected,
                           std::uint64_t number) {
    for (const std::int64_t count : {2, 5}) {
      Context context({.progress = [](const std::string&, double) { let_others_begin(); },
                       .threads = 2,
                       .workers = groups(count),
                       .layers = 1 + static_cast<std::int64_t>(number % 3)});
      const RunReport report = run_operation(table, request, context);
      QVERIFY2(test::digests_of(report) == expected,
               qPrintable(QStringLiteral("request %1, %2 workers").arg(number).arg(count)));
      QCOMPARE(std::ssize(report.facts.shares), count);
      const auto busy = std::ranges::count_if(
          report.facts.shares, [](const RunFacts::Share& share) { return share.done.visits > 0; });
      for (const auto& [name, done] : report.facts.shares)
        QCOMPARE(done.visits > 0, done.cells > 0);
      shared += busy > 1 ? 1 : 0;
    }
  };
  QVERIFY(for_requests(table, compare) > 10);
  QVERIFY(shared > 3);
}

void TestSharedRuns::outlive_a_worker_that_fails_data() {
  give_every_process_the_same_bits_data();
}

void TestSharedRuns::outlive_a_worker_that_fails() {
  const OperationTable table = make_operation_table();
  int outlived = 0;
  const auto compare = [&](const RunRequest& request, const std::string& expected,
                           std::uint64_t number) {
    for (const std::int64_t looks : {2, 4, 7, 13, 34, 55}) {
      const auto seen = std::make_shared<std::atomic<int>>(0);
      Context context(failing_at(looks, seen));
      try {
        const RunReport report = run_operation(table, request, context);
        QVERIFY2(test::digests_of(report) == expected,
                 qPrintable(QStringLiteral("request %1, look %2").arg(number).arg(looks)));
        const bool is_told =
            std::ranges::any_of(report.facts.warnings, [](const std::string& warning) {
              return warning.ends_with("failed, and the others did its part: the device is full");
            });
        QCOMPARE(is_told, *seen >= looks);
        outlived += is_told ? 1 : 0;
      } catch (const UnavailableError&) {
        // It looked where nothing is shared.
      }
    }
  };
  QVERIFY(for_requests(table, compare) > 10);
  QVERIFY(outlived > 3);
}

QTEST_GUILESS_MAIN(TestSharedRuns)
#include "test_shared_runs.moc"
