// SPDX-License-Identifier: Apache-2.0
// Runs that are interrupted again and again, and go on from what their checkpoint holds: in parts
// of another thickness, by other workers, by other processes. The bits must be those of a run that
// nothing interrupted.
#include "core/base/error.h"
#include "core/ops/run.h"
#include "tests/support/checkpoint_in_memory.h"
#include "tests/support/random_numbers.h"
#include "tests/support/random_request.h"
#include "tests/support/ranks_in_process.h"
#include "tests/support/run_digests.h"
#include "tests/support/slab_order.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stop_token>
#include <string>

using namespace seedwave;

namespace {

constexpr int kMostInterruptions = 6;
constexpr std::int64_t kMostVoxels = 5000;

Context::Settings random_settings(test::RandomNumbers& random, test::KeptStates& kept) {
  Context::Settings settings{.threads = 1};
  if (random.below(3) == 0) settings = test::shared_by_some(random);
  settings.layers = 1 + random.below(4);
  settings.saved = kept.checkpoint();
  return settings;
}

/// Runs until the run has looked `looks` times whether it is to stop; to the end if it looks less
/// often. Returns nothing if it was stopped.
std::optional<std::string> run_for(const OperationTable& table, const RunRequest& request,
                                   Context::Settings settings, std::int64_t looks) {
  std::stop_source stop;
  std::atomic<std::int64_t> seen = 0;
  settings.stop = stop.get_token();
  settings.progress = [&](const std::string&, double) {
    if (++seen == looks) stop.request_stop();
  };
  Context context(settings);
  try {
    return test::digests_of(run_operation(table, request, context));
  } catch (const Cancelled&) {
    return {};
  }
}

/// The same by several processes, of which the last is stopped.
std::optional<std::string> run_by_ranks_for(const OperationTable& table, const RunRequest& request,
                                            test::RandomNumbers& random, test::KeptStates& kept,
                                            std::int64_t looks) {
  const auto count = static_cast<int>(2 + random.below(3));
  test::RanksInProcess all(count, std::chrono::microseconds(100),
                           static_cast<std::uint64_t>(looks));
  std::optional<std::string> result;
  try {
    all.run([&](const std::shared_ptr<Ranks>& ranks) {
      const bool last = ranks->rank() + 1 == count;
      test::RandomNumbers own(static_cast<std::uint64_t>(looks + ranks->rank()));
      Context::Settings settings = random_settings(own, kept);
      settings.ranks = ranks;
      const auto got = run_for(table, request, settings, last ? looks : -1);
      if (!got) throw UnavailableError("stopped");
      if (ranks->rank() == 0) result = got;
    });
  } catch (const UnavailableError&) {
    return {};
  }
  return result;
}

}  // namespace

class TestInterruptedRuns : public QObject {
  Q_OBJECT
 private slots:
  void end_with_the_same_bits_data();
  void end_with_the_same_bits();
};

void TestInterruptedRuns::end_with_the_same_bits_data() {
  test::add_cpu_implementations([](Sharing sharing) { return sharing == Sharing::BySlabs; });
}

void TestInterruptedRuns::end_with_the_same_bits() {
  QFETCH(QString, operation);
  QFETCH(QString, algorithm);
  const OperationTable table = make_operation_table();
  int stopped = 0;
  std::int64_t restored = 0;
  std::int64_t final_passes = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    RunRequest request = test::random_request(table.at(operation.toStdString()), number);
    if (request.inputs.image.geometry().voxel_count() > kMostVoxels) continue;
    if (request.inputs.reads() == Reads::Labels) continue;  // cannot be saved
    request.how.algorithm = algorithm.toStdString();
    request.how.backend = Backend::Cpu;
    const auto expected = test::digests_alone(table, request);
    if (!expected) continue;
    test::RandomNumbers random(number);
    test::KeptStates kept(number, number % 2 == 0 ? 3 : 1'000'000);
    std::optional<std::string> result;
    for (int i = 0; i < kMostInterruptions && !result; ++i) {
      const std::int64_t looks = 1 + random.below(random.below(2) == 0 ? 8 : 60);
      result = number % 3 == 0 ? run_by_ranks_for(table, request, random, kept, looks)
                               : run_for(table, request, random_settings(random, kept), looks);
      if (!result) ++stopped;
    }
    if (!result) result = run_for(table, request, random_settings(random, kept), -1);
    QVERIFY2(result == expected, qPrintable(QStringLiteral("request %1").arg(number)));
    restored += kept.restored();
    final_passes += kept.final_passes();
  }
  QVERIFY(stopped > 10);
  QVERIFY(restored > 100);
  // Final states of the last pass are of no use.
  const bool has_passes = operation == "watershed" || operation.endsWith("fc");
  QCOMPARE(final_passes > 10, has_passes);
}

QTEST_GUILESS_MAIN(TestInterruptedRuns)
#include "test_interrupted_runs.moc"
