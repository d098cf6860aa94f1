// SPDX-License-Identifier: Apache-2.0
// Generated from the operation table: compares every exact implementation with the operation's
// reference algorithm, on the same random inputs. A new operation or algorithm is included by being
// listed.
#include "core/base/error.h"
#include "core/ops/run.h"
#include "tests/support/random_request.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace seedwave;
using test::random_request;

namespace {

constexpr int kRounds = 24;

/// Returns the digests of all outputs, or the refusal, which must be the same too.
std::string outcome_of(const OperationTable& table, RunRequest request,
                       const Implementation& implementation, int threads) {
  request.how.algorithm = implementation.algorithm;
  request.how.backend = implementation.backend;
  Context context(Context::Settings{.threads = threads});
  try {
    const RunReport report = run_operation(table, request, context);
    std::string text;
    for (const auto& [id, summary] : report.summaries)
      text += id + " " + summary.digest + "\n";
    for (const auto& [id, value] : report.facts.values)
      text += id + " " + text_of(value) + "\n";
    return text;
  } catch (const Error& error) {
    return error.what();
  }
}

const Implementation& reference_of(const Operation& operation) {
  return *std::find_if(operation.implementations.begin(), operation.implementations.end(),
                       [&](const Implementation& implementation) {
                         return implementation.backend == Backend::Cpu &&
                                implementation.algorithm == operation.reference_algorithm;
                       });
}

}  // namespace

class TestParity : public QObject {
  Q_OBJECT
 private slots:
  void equals_the_reference_algorithm_data();
  void equals_the_reference_algorithm();
  void most_random_inputs_run();
};

void TestParity::equals_the_reference_algorithm_data() {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<int>("implementation");
  QTest::addColumn<int>("threads");
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations()) {
    for (std::size_t i = 0; i < operation.implementations.size(); ++i) {
      const Implementation& implementation = operation.implementations[i];
      if (implementation.exactness != Exactness::Exact) continue;
      const bool is_reference = &implementation == &reference_of(operation);
      for (const int threads : {1, 3}) {
        if (is_reference && threads == 1) continue;  // it would be compared with itself
        QTest::addRow("%s, %s on %s, %d threads", operation.id.c_str(),
                      implementation.algorithm.c_str(), name_of(implementation.backend).c_str(),
                      threads)
            << QString::fromStdString(operation.id) << static_cast<int>(i) << threads;
      }
    }
  }
}

void TestParity::equals_the_reference_algorithm() {
  QFETCH(QString, operation);
  QFETCH(int, implementation);
  QFETCH(int, threads);
  const OperationTable table = make_operation_table();
  const Operation& op = table.at(operation.toStdString());
  for (int round = 0; round < kRounds; ++round) {
    const RunRequest request = random_request(op, static_cast<std::uint64_t>(round));
    const std::string expected = outcome_of(table, request, reference_of(op), 1);
    const std::string got = outcome_of(table, request, op.implementations[implementation], threads);
    QVERIFY2(got == expected, qPrintable(QString("inputs %1 (%2): %3 instead of %4")
                                             .arg(round)
                                             .arg(describe(request.inputs.image.geometry()).c_str(),
                                                  got.c_str(), expected.c_str())));
  }
}

void TestParity::most_random_inputs_run() {
  // If all inputs were refused, nothing would be compared.
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations()) {
    int ran = 0;
    for (int round = 0; round < kRounds; ++round) {
      const std::string outcome =
          outcome_of(table, random_request(operation, static_cast<std::uint64_t>(round)),
                     reference_of(operation), 1);
      if (outcome.find("xxh64:") != std::string::npos) ++ran;
    }
    QVERIFY2(ran >= kRounds / 2, qPrintable(QString("%1: %2").arg(operation.id.c_str()).arg(ran)));
  }
}

QTEST_GUILESS_MAIN(TestParity)
#include "test_parity.moc"
