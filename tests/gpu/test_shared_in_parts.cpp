// SPDX-License-Identifier: Apache-2.0
// CUDA implementations that are shared. Those in parts, by a device and a group of CPU threads:
// without a device its worker fails at its first part, and the CPU does all: as on a machine whose
// device fails. `seedwave-gpu-check shares` does the same at length on machines without Qt.
#include "core/base/error.h"
#include "core/ops/run.h"
#include "gpu/implementations.h"
#include "tests/support/random_request.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

using namespace seedwave;

namespace {

constexpr std::uint64_t kRequests = 60;
constexpr std::int64_t kMostVoxels = 5000;

bool same(const Volume& a, const Volume& b) {
  return a.type() == b.type() && std::ranges::equal(a.bytes(), b.bytes());
}
bool same(const LabelMap& a, const LabelMap& b) {
  return std::ranges::equal(a.labels(), b.labels());
}
bool same(const Table& a, const Table& b) {
  return a.columns == b.columns && a.rows == b.rows;
}
bool same(const Output& a, const Output& b) {
  const auto equals_b = [&](const auto& value) {
    const auto* other = std::get_if<std::decay_t<decltype(value)>>(&b);
    return other != nullptr && same(value, *other);
  };
  return std::visit(equals_b, a);
}
bool same(const std::map<std::string, Output>& a, const std::map<std::string, Output>& b) {
  return std::ranges::equal(a, b, [](const auto& left, const auto& right) {
    return left.first == right.first && same(left.second, right.second);
  });
}

OperationTable table_with_devices() {
  OperationTable table = make_operation_table();
  gpu::add_implementations(table);
  return table;
}

/// Returns the outputs of the CPU's default; nothing for inputs that the operation refuses.
std::optional<std::map<std::string, Output>> expected_of(const OperationTable& table,
                                                         RunRequest request) {
  request.how.backend = Backend::Cpu;
  Context context({.threads = 1});
  try {
    return run_operation(table, request, context).outputs;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

class TestSharedInParts : public QObject {
  Q_OBJECT
 private slots:
  void a_device_and_the_cpu_give_the_bits_of_the_cpu_data();
  void a_device_and_the_cpu_give_the_bits_of_the_cpu();
  void connectedness_is_shared_with_4_and_6_neighbours();
};

void TestSharedInParts::a_device_and_the_cpu_give_the_bits_of_the_cpu_data() {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<QString>("algorithm");
  const OperationTable table = table_with_devices();
  for (const Operation& operation : table.operations()) {
    for (const Implementation& implementation : operation.implementations) {
      if (implementation.backend == Backend::Cuda && implementation.sharing == Sharing::InParts)
        QTest::addRow("%s, %s", operation.id.c_str(), implementation.algorithm.c_str())
            << QString::fromStdString(operation.id)
            << QString::fromStdString(implementation.algorithm);
    }
  }
}

void TestSharedInParts::a_device_and_the_cpu_give_the_bits_of_the_cpu() {
  QFETCH(QString, operation);
  QFETCH(QString, algorithm);
  const OperationTable table = table_with_devices();
  // They ask the devices before they divide the work.
  static const QStringList kAskFirst{"distance", "influence-zones", "tissue"};
  if (kAskFirst.contains(operation) && table.devices().empty())
    QSKIP(qPrintable(QString::fromStdString(table.why_no_device())));
  const Operation& described = table.at(operation.toStdString());
  const auto implementation =
      std::ranges::find_if(described.implementations, [&](const Implementation& each) {
        return each.backend == Backend::Cuda && each.algorithm == algorithm.toStdString();
      });
  int compared = 0;
  for (std::uint64_t number = 0; number < kRequests; ++number) {
    const RunRequest request = test::random_request(described, number);
    const Geometry& geometry = request.inputs.image.geometry();
    if (geometry.voxel_count() > kMostVoxels) continue;
    const auto expected = expected_of(table, request);
    if (!expected) continue;
    Context context({.workers = {{.device = 0}, {.device = kCpu, .threads = 2}}});
    const Values values = checked_values(described, request.values, geometry.is_2d());
    const Result got = implementation->run(request.inputs, values, context);
    QVERIFY2(same(got.outputs, *expected), qPrintable(QString::number(number)));
    const std::vector<WorkDone> work = context.work_done();
    if (table.devices().empty()) {
      QVERIFY(work[0].visits == 0);
    } else {
      QCOMPARE(work[0].failure, std::string());
    }
    ++compared;
  }
  QVERIFY(compared > 10);
}

void TestSharedInParts::connectedness_is_shared_with_4_and_6_neighbours() {
  const OperationTable table = table_with_devices();
  const std::map<std::string, bool> is_shared{
      {"4", true}, {"8", false}, {"6", true}, {"18", false}, {"26", false}};
  for (const char* const id : {"afc", "rfc", "irfc"}) {
    const Operation& operation = table.at(id);
    const auto tiles =
        std::ranges::find_if(operation.implementations, [](const Implementation& each) {
          return each.backend == Backend::Cuda && each.sharing == Sharing::BySlabs;
        });
    QVERIFY(tiles != operation.implementations.end());
    for (const auto& [neighbours, expected] : is_shared) {
      const bool is_2d = neighbours == "4" || neighbours == "8";
      const Values values = checked_values(operation, {{"connectivity", neighbours}}, is_2d);
      const std::string why = tiles->why_not_shared({}, values);
      QVERIFY2(why.empty() == expected, (id + (", " + neighbours) + ": " + why).c_str());
    }
  }
}

QTEST_GUILESS_MAIN(TestSharedInParts)
#include "test_shared_in_parts.moc"
