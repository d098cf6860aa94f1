// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch_files.h"
#include "core/base/scratch_memory.h"
#include "core/ops/operation.h"
#include "core/ops/run.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstdint>
#include <set>
#include <string>

using namespace seedwave;

namespace {

std::string digest_of(const OperationTable& table, const Operation& operation,
                      const std::string& algorithm, const Context::Settings& settings) {
  const RunRequest request{.operation = operation.id,
                           .values = operation.example.values,
                           .how = {.algorithm = algorithm, .backend = Backend::Cpu},
                           .inputs = example_inputs(operation)};
  Context context(settings);
  return run_operation(table, request, context).summaries.at(operation.main_output().id).digest;
}

}  // namespace

/// Each operation with its own example, which fixes its result to the bit.
class TestExamples : public QObject {
  Q_OBJECT
 private slots:
  void gives_the_digest_of_the_example_data();
  void gives_the_digest_of_the_example();
  void gives_the_digest_with_arrays_in_files_data();
  void gives_the_digest_with_arrays_in_files();
  void are_listed_in_an_order_of_their_own();
};

void TestExamples::gives_the_digest_of_the_example_data() {
  QTest::addColumn<QString>("id");
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations())
    QTest::newRow(operation.id.c_str()) << QString::fromStdString(operation.id);
}

void TestExamples::gives_the_digest_of_the_example() {
  QFETCH(QString, id);
  const OperationTable table = make_operation_table();
  const Operation& operation = table.at(id.toStdString());
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.exactness != Exactness::Exact) continue;
    for (const int threads : {1, 2}) {
      const std::string digest =
          digest_of(table, operation, implementation.algorithm, {.threads = threads});
      QVERIFY2(digest == operation.example.digest,
               (implementation.algorithm + " gives " + digest).c_str());
    }
  }
}

void TestExamples::gives_the_digest_with_arrays_in_files_data() {
  gives_the_digest_of_the_example_data();
}

/// All arrays but the smallest lie in files, whose pages leave the memory again and again. Solvers
/// that can work in parts do so, as they do on slides.
void TestExamples::gives_the_digest_with_arrays_in_files() {
  QFETCH(QString, id);
  const OperationTable table = make_operation_table();
  const Operation& operation = table.at(id.toStdString());
  const QTemporaryDir folder;
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.exactness != Exactness::Exact) continue;
    for (const std::int64_t layers : {0, 3}) {
      const std::int64_t before = scratch::use().all;
      const ScratchMemory files(
          {.folder = folder.path().toStdString(), .memory = 1, .smallest = 1000});
      const std::string digest =
          digest_of(table, operation, implementation.algorithm,
                    {.threads = 2, .memory = 1 << 30, .in_files = true, .layers = layers});
      QVERIFY2(digest == operation.example.digest,
               (implementation.algorithm + " gives " + digest).c_str());
      QVERIFY(scratch::use().all > before);
    }
  }
}

void TestExamples::are_listed_in_an_order_of_their_own() {
  const OperationTable table = make_operation_table();
  std::set<int> places;
  for (const Operation& operation : table.operations()) {
    QVERIFY2(places.empty() || operation.order > *places.rbegin(), operation.id.c_str());
    places.insert(operation.order);
  }
}

QTEST_GUILESS_MAIN(TestExamples)
#include "test_examples.moc"
