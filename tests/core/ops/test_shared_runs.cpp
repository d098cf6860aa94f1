// SPDX-License-Identifier: Apache-2.0
// Generated from the operation table: every implementation that several processes can share, on
// random inputs. Each process must get the bits that one process gets. A new operation or algorithm
// is included by being shared.
#include "core/ops/run.h"
#include "tests/support/random_request.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/run_digests.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

using namespace seedwave;

namespace {

constexpr std::uint64_t kRequests = 48;
constexpr std::int64_t kMostVoxels = 5000;

/// Returns the number of processes that got what is expected. Each has other threads, and parts of
/// another thickness.
int count_equal(const OperationTable& table, const RunRequest& request, int count,
                std::uint64_t seed, const std::string& expected) {
  test::RanksInProcess all(count, std::chrono::microseconds(50), seed);
  std::atomic<int> equal = 0;
  all.run([&](const std::shared_ptr<Ranks>& ranks) {
    Context shared(
        {.threads = 1 + ranks->rank() % 3, .ranks = ranks, .layers = 1 + 2 * ranks->rank()});
    equal += test::digests_of(run_operation(table, request, shared)) == expected ? 1 : 0;
  });
  return equal;
}

}  // namespace

class TestSharedRuns : public QObject {
  Q_OBJECT
 private slots:
  void give_every_process_the_same_bits_data();
  void give_every_process_the_same_bits();
};

void TestSharedRuns::give_every_process_the_same_bits_data() {
  test::add_cpu_implementations([](Sharing sharing) { return sharing != Sharing::None; });
}

void TestSharedRuns::give_every_process_the_same_bits() {
  QFETCH(QString, operation);
  QFETCH(QString, algorithm);
  const OperationTable table = make_operation_table();
  int compared = 0;
  for (std::uint64_t number = 0; number < kRequests; ++number) {
    RunRequest request = test::random_request(table.at(operation.toStdString()), number);
    if (request.inputs.image.geometry().voxel_count() > kMostVoxels) continue;
    request.how.algorithm = algorithm.toStdString();
    request.how.backend = Backend::Cpu;
    const auto expected = test::digests_alone(table, request);
    if (!expected) continue;
    for (const int count : {1, 2, 3, 5}) {
      QVERIFY2(count_equal(table, request, count, number, *expected) == count,
               qPrintable(QStringLiteral("request %1, %2 processes").arg(number).arg(count)));
    }
    ++compared;
  }
  QVERIFY(compared > 10);
}

QTEST_GUILESS_MAIN(TestSharedRuns)
#include "test_shared_runs.moc"
