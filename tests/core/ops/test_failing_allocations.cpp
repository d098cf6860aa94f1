// SPDX-License-Identifier: Apache-2.0
// Every operation with its n-th allocation failing. There must be no crash and no hang. The outcome
// is the right result, or an exception for which the command line exits with code 5. The next run
// must then be right.
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/ops/run.h"
#include "tests/support/failing_memory.h"
#include "tests/support/random_request.h"
#include "tests/support/run_digests.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace seedwave;

namespace {

/// Numbers of random_request(): 1 x 3 pixels, or a little more than a window.
constexpr int kSmallest = 0;

/// Returns the digests, the refusal, or "out of memory" for exit code 5. Later runs use the same
/// cache.
std::string outcome_of(const OperationTable& table, const RunRequest& request, int threads,
                       const std::shared_ptr<ScratchCache>& cache, std::int64_t failing,
                       bool* failed) {
  const test::FailingAllocation allocation(failing);
  std::string outcome;
  try {
    Context context(Context::Settings{.threads = threads, .cache = cache});
    const RunReport report = run_operation(table, request, context);
    *failed = allocation.failed();
    test::allocations_left = 0;
    return test::digests_of(report);
  } catch (const std::bad_alloc&) {
    *failed = allocation.failed();
    return "out of memory";
  } catch (const Error& error) {
    *failed = allocation.failed();
    test::allocations_left = 0;
    return error.exit_code() == kExitUnavailable ? "out of memory" : error.what();
  } catch (const std::exception& error) {
    *failed = allocation.failed();
    test::allocations_left = 0;
    return std::string("not an error of the user's: ") + error.what();
  }
}

}  // namespace

class TestFailingAllocations : public QObject {
  Q_OBJECT
 private slots:
  void a_pool_stays_whole();
  void an_operation_ends_with_an_error_or_the_right_result_data();
  void an_operation_ends_with_an_error_or_the_right_result();
};

void TestFailingAllocations::a_pool_stays_whole() {
  // Five arrays of half a chunk each: the first, the third and the last, which is in a smaller
  // chunk, allocate.
  constexpr std::size_t kLength = kLargePage / sizeof(double) / 2;
  for (const std::size_t at : {0, 2, 4}) {
    for (std::int64_t failing = 1; failing <= 2; ++failing) {
      ArrayPool<double> pool(kLength, 5);
      std::vector<double*> arrays(5);
      for (std::size_t i = 0; i < arrays.size(); ++i) {
        const test::FailingAllocation allocation(i == at ? failing : 0);
        try {
          arrays[i] = pool.take();
        } catch (const std::bad_alloc&) {
          arrays[i] = pool.take();
        }
      }
      for (std::size_t i = 0; i < arrays.size(); ++i)
        std::fill_n(arrays[i], kLength, static_cast<double>(i));
      for (std::size_t i = 0; i < arrays.size(); ++i) {
        QCOMPARE(arrays[i][0], static_cast<double>(i));
        QCOMPARE(arrays[i][kLength - 1], static_cast<double>(i));
      }
      QCOMPARE(pool.bytes(), kLargePage * 5 / 2);
    }
  }
}

void TestFailingAllocations::an_operation_ends_with_an_error_or_the_right_result_data() {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<QString>("algorithm");
  QTest::addColumn<int>("number");
  QTest::addColumn<int>("threads");
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations()) {
    const auto row = [&](const std::string& algorithm, const char* input, int number, int threads) {
      QTest::addRow("%s, %s, %s, %d threads", operation.id.c_str(), algorithm.c_str(), input,
                    threads)
          << QString::fromStdString(operation.id) << QString::fromStdString(algorithm) << number
          << threads;
    };
    bool first = true;
    for (const Implementation& implementation : operation.implementations) {
      if (implementation.backend != Backend::Cpu) continue;
      row(implementation.algorithm, "smallest", kSmallest, 1);
      for (const int threads : {1, 2}) {
        if (!first) break;  // the default one
        row(implementation.algorithm, "picture", 3, threads);
        row(implementation.algorithm, "volume", 4, threads);
      }
      first = false;
    }
  }
}

void TestFailingAllocations::an_operation_ends_with_an_error_or_the_right_result() {
  QFETCH(QString, operation);
  QFETCH(QString, algorithm);
  QFETCH(int, number);
  QFETCH(int, threads);
  const OperationTable table = make_operation_table();
  RunRequest request =
      test::random_request(table.at(operation.toStdString()), static_cast<std::uint64_t>(number));
  request.how.backend = Backend::Cpu;
  request.how.algorithm = algorithm.toStdString();
  bool failed = false;
  const std::string expected =
      outcome_of(table, request, threads, std::make_shared<ScratchCache>(), 0, &failed);
  auto cache = std::make_shared<ScratchCache>();
  failed = true;
  // Each of the first allocations, then some. On the smallest input these are all, except for two
  // operations on windows.
  const std::int64_t all = number == kSmallest ? 1500 : 300;
  for (std::int64_t n = 1; failed; n = test::next_to_fail(n, all)) {
    // Every second time with the cache of the previous run, complete or not.
    if (n % 2 == 1) cache = std::make_shared<ScratchCache>();
    const std::string outcome = outcome_of(table, request, threads, cache, n, &failed);
    QVERIFY2(outcome == expected || (failed && outcome == "out of memory"),
             qPrintable(QStringLiteral("allocation %1: %2").arg(n).arg(outcome.c_str())));
    if (outcome == expected) continue;
    bool none = false;
    QVERIFY2(outcome_of(table, request, threads, cache, 0, &none) == expected,
             qPrintable(QStringLiteral("after allocation %1 failed").arg(n)));
  }
}

QTEST_GUILESS_MAIN(TestFailingAllocations)
#include "test_failing_allocations.moc"
