// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/ops/worker_list.h"

#include <QTest>

#include <string>
#include <vector>

using namespace seedwave;

namespace {

OperationTable table_with_devices() {
  OperationTable table({});
  DeviceInfo first;
  first.number = 0;
  first.name = "NVIDIA H200";
  DeviceInfo second = first;
  second.number = 1;
  table.set_devices({first, second}, "");
  return table;
}

}  // namespace

class TestWorkerList : public QObject {
  Q_OBJECT
 private slots:
  void names_devices_and_groups_of_threads() {
    const OperationTable table = table_with_devices();
    using Workers = std::vector<Worker>;
    QVERIFY(workers_of("cpu", table, 8) == (Workers{{kCpu, 8}}));
    QVERIFY(workers_of("cuda:1", table, 8) == (Workers{{1, 8}}));
    QVERIFY(workers_of("cuda:1,cpu", table, 8) == (Workers{{1, 2}, {kCpu, 6}}));
    QVERIFY(workers_of("cpu,cpu,cpu", table, 8) == (Workers{{kCpu, 3}, {kCpu, 3}, {kCpu, 2}}));
    QVERIFY(workers_of("cuda:0,cuda:0", table, 8) == (Workers{{0, 4}, {0, 4}}));
    QVERIFY(workers_of("all", table, 16) == (Workers{{0, 4}, {1, 4}, {kCpu, 8}}));
    QVERIFY(workers_of("cuda:0,cuda:1,cuda:0,cuda:1,cpu", table, 16) ==
            (Workers{{0, 2}, {1, 2}, {0, 2}, {1, 2}, {kCpu, 8}}));
    // Nobody is without a thread.
    QVERIFY(workers_of("all", table, 2) == (Workers{{0, 1}, {1, 1}, {kCpu, 1}}));
    QVERIFY(workers_of("cpu,cpu", table, 1) == (Workers{{kCpu, 1}, {kCpu, 1}}));
    QVERIFY(workers_of("all", OperationTable({}), 4) == (Workers{{kCpu, 4}}));
  }

  void refuses_what_is_not_there() {
    const OperationTable table = table_with_devices();
    for (const char* list : {"", ",", "cpu,", "gpu", "cuda", "cuda:", "cuda:-1", "cuda:1x", "1",
                             "all,cpu", "cuda:99999999999"}) {
      QVERIFY_EXCEPTION_THROWN(static_cast<void>(workers_of(list, table, 8)), UsageError);
    }
    std::string many = "cpu";
    for (int i = 0; i < 64; ++i)
      many += ",cpu";
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(workers_of(many, table, 8)), UsageError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(workers_of("cuda:2", table, 8)), UnavailableError);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(workers_of("cuda:0", OperationTable({}), 8)),
                             UnavailableError);
  }

  void shares_a_run_among_those_of_a_list() {
    const OperationTable table = table_with_devices();
    using Workers = std::vector<Worker>;
    ImplementationRequest how;
    Context::Settings settings{.threads = 16};
    share_among(kAllDevices, table, how, settings);
    QVERIFY(how.backend == Backend::Cuda);
    QCOMPARE(settings.device, 0);
    QVERIFY(settings.workers == (Workers{{0, 4}, {1, 4}, {kCpu, 8}}));
    // An only one shares with nobody.
    settings = {.threads = 4};
    share_among("cuda:1", table, how, settings);
    QCOMPARE(settings.device, 1);
    QVERIFY(settings.workers.empty());
    settings = {.threads = 4};
    share_among(kAllDevices, OperationTable({}), how, settings);
    QVERIFY(how.backend == Backend::Cpu && settings.workers.empty());
    share_among("cpu,cpu", OperationTable({}), how, settings);
    QVERIFY(how.backend == Backend::Cpu);
    QVERIFY(settings.workers == (Workers{{kCpu, 2}, {kCpu, 2}}));
  }

  void knows_what_all_can_share() {
    const OperationTable table = table_with_devices();
    const auto operation = [](Exactness exactness, Sharing sharing) {
      Operation made;
      made.implementations = {{.algorithm = "tiles", .sharing = Sharing::BySlabs},
                              {.algorithm = "tiles",
                               .backend = Backend::Cuda,
                               .exactness = exactness,
                               .sharing = sharing}};
      return made;
    };
    const Operation shared = operation(Exactness::Exact, Sharing::BySlabs);
    QVERIFY(can_share_among_all(shared, table));
    QVERIFY(can_share_among_all(operation(Exactness::Exact, Sharing::InParts), table));
    QVERIFY(!can_share_among_all(operation(Exactness::Exact, Sharing::None), table));
    QVERIFY(!can_share_among_all(operation(Exactness::Approximate, Sharing::BySlabs), table));
    QVERIFY(!can_share_among_all(shared, OperationTable({})));
    QVERIFY(!can_share_among_all(Operation(), table));
  }

  void knows_which_runs_all_can_share() {
    const OperationTable table = table_with_devices();
    Operation operation;
    operation.implementations = {
        {.algorithm = "tiles", .backend = Backend::Cuda, .sharing = Sharing::BySlabs}};
    Implementation& on_device = operation.implementations.front();
    const auto for_two_only = [](const Inputs&, const Values& values) {
      return std::string(values.number("neighbours") == 2.0 ? "" : "for 2 neighbours only");
    };
    const Values two{{"neighbours", 2.0}};
    const Values three{{"neighbours", 3.0}};
    QVERIFY(can_share_among_all(operation, table, {}, three));
    on_device.why_not = for_two_only;
    QVERIFY(can_share_among_all(operation, table, {}, two));
    QVERIFY(!can_share_among_all(operation, table, {}, three));
    on_device.why_not = {};
    on_device.why_not_shared = for_two_only;
    QVERIFY(can_share_among_all(operation, table, {}, two));
    QVERIFY(!can_share_among_all(operation, table, {}, three));
  }

  void says_who_they_are() {
    const OperationTable table = table_with_devices();
    QCOMPARE(name_of(Worker{1, 1}, table), std::string("NVIDIA H200 (cuda:1)"));
    QCOMPARE(name_of(Worker{kCpu, 1}, table), std::string("CPU, 1 thread"));
    QCOMPARE(name_of(Worker{kCpu, 14}, table), std::string("CPU, 14 threads"));
  }
};

QTEST_GUILESS_MAIN(TestWorkerList)
#include "test_worker_list.moc"
