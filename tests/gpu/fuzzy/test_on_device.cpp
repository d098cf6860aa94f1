// SPDX-License-Identifier: Apache-2.0
// Device-specific behaviour: the kernels themselves, data kept between runs, cancelling.
// seedwave-gpu-check does the same at length on machines without Qt.
#include "core/base/error.h"
#include "core/fuzzy/dijkstra.h"
#include "core/fuzzy/porfc.h"
#include "gpu/device/devices.h"
#include "gpu/device/memory.h"
#include "gpu/fuzzy/porfc.h"
#include "gpu/fuzzy/sweeps.h"
#include "gpu/fuzzy/tiles.h"
#include "tests/gpu/fuzzy/host_planes.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <stop_token>

using namespace seedwave;
using test::KernelCase;

namespace {

constexpr int kTrials = 5;
constexpr std::int64_t kPoisonBytes = 16 << 20;

bool has_stage(const Context& context, const std::string& name) {
  const auto stages = context.stage_times();
  return std::any_of(stages.begin(), stages.end(),
                     [&](const StageTime& time) { return time.stage == name; });
}

}  // namespace

Q_DECLARE_METATYPE(KernelCase)

class TestOnDevice : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void equals_the_cpu_data();
  void equals_the_cpu();
  void a_second_stroke_uploads_only_seeds();
  void other_affinities_are_not_mistaken();
  void a_stopped_run_throws_cancelled();
};

void TestOnDevice::initTestCase() {
  const gpu::DeviceList list = gpu::list_devices();
  if (list.devices.empty()) QSKIP(("no CUDA device: " + list.why_none).c_str());
}

void TestOnDevice::equals_the_cpu_data() {
  QTest::addColumn<KernelCase>("c");
  for (const KernelCase& c : KernelCase::all())
    QTest::newRow(c.name().c_str()) << c;
}

void TestOnDevice::equals_the_cpu() {
  QFETCH(KernelCase, c);
  const std::pair<fuzzy::Solver, fuzzy::Solver> twins[] = {
      {fuzzy::rfc_by_dijkstra, gpu::rfc_by_tiles},
      {fuzzy::irfc_by_dijkstra, gpu::irfc_by_tiles},
      {fuzzy::rfc_by_dijkstra, gpu::rfc_by_sweeps},
      {fuzzy::irfc_by_dijkstra, gpu::irfc_by_sweeps},
      {fuzzy::porfc_by_rounds, gpu::porfc_by_rounds},
      {fuzzy::prfc_by_rounds, gpu::prfc_by_rounds}};
  for (int number = 0; number < kTrials; ++number) {
    fuzzy::Problem problem = test::random_problem(c.size, c.connectivity, c.labels, c.mask, number);
    problem.object = static_cast<std::uint16_t>(number % 3);  // 0: each label in turn
    for (const auto& [on_cpu, on_device] : twins) {
      Context context;
      const fuzzy::Answer expected = on_cpu(problem, context);
      gpu::poison_pool(0, kPoisonBytes);
      const fuzzy::Answer got = on_device(problem, context);
      QCOMPARE(got.strength, expected.strength);
      QCOMPARE(got.labels, expected.labels);
    }
  }
}

void TestOnDevice::a_second_stroke_uploads_only_seeds() {
  fuzzy::Problem problem =
      test::random_problem({33, 17, 9}, Connectivity::C6, 3, test::WithMask::Yes, 1);
  const auto cache = std::make_shared<ScratchCache>();
  Context first({.cache = cache});
  static_cast<void>(gpu::irfc_by_sweeps(problem, first));
  QVERIFY(has_stage(first, "affinity"));
  problem.seeds.pop_back();
  Context second({.cache = cache});
  const fuzzy::Answer got = gpu::irfc_by_sweeps(problem, second);
  QVERIFY(!has_stage(second, "affinity"));
  Context cpu;
  QCOMPARE(got.labels, fuzzy::irfc_by_dijkstra(problem, cpu).labels);
}

void TestOnDevice::other_affinities_are_not_mistaken() {
  const auto cache = std::make_shared<ScratchCache>();
  for (int number = 0; number < 8; ++number) {
    const auto connectivity = number % 2 == 0 ? Connectivity::C6 : Connectivity::C26;
    const fuzzy::Problem problem =
        test::random_problem({12, 11, 10}, connectivity, 2, test::WithMask::No, number);
    Context context({.cache = cache});
    const fuzzy::Answer got = gpu::irfc_by_sweeps(problem, context);
    Context cpu;
    QCOMPARE(got.labels, fuzzy::irfc_by_dijkstra(problem, cpu).labels);
  }
}

void TestOnDevice::a_stopped_run_throws_cancelled() {
  const fuzzy::Problem problem =
      test::random_problem({40, 40, 40}, Connectivity::C6, 2, test::WithMask::No, 3);
  std::stop_source stop;
  stop.request_stop();
  Context context({.stop = stop.get_token()});
  QVERIFY_EXCEPTION_THROWN(static_cast<void>(gpu::irfc_by_sweeps(problem, context)), Cancelled);
}

QTEST_GUILESS_MAIN(TestOnDevice)
#include "test_on_device.moc"
