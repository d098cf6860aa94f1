// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/ops/run.h"

#include <QString>
#include <QTest>

#include <optional>
#include <string>

namespace seedwave::test {

/// Returns the digests of all outputs.
inline std::string digests_of(const RunReport& report) {
  std::string text;
  for (const auto& [id, summary] : report.summaries)
    text += id + " " + summary.digest + "\n";
  return text;
}

/// Returns those of a run that neither threads, parts nor ranks divide; nothing for inputs that the
/// operation refuses.
inline std::optional<std::string> digests_alone(const OperationTable& table,
                                                const RunRequest& request) {
  Context alone({.threads = 1});
  try {
    return digests_of(run_operation(table, request, alone));
  } catch (const Error&) {
    return {};
  }
}

/// Adds a row with the columns "operation" and "algorithm" for each implementation on the CPU whose
/// Sharing `is_tested` accepts.
template <typename IsTested>
void add_cpu_implementations(const IsTested& is_tested) {
  QTest::addColumn<QString>("operation");
  QTest::addColumn<QString>("algorithm");
  const OperationTable table = make_operation_table();
  for (const Operation& operation : table.operations()) {
    for (const Implementation& implementation : operation.implementations) {
      if (implementation.backend != Backend::Cpu || !is_tested(implementation.sharing)) continue;
      QTest::addRow("%s, %s", operation.id.c_str(), implementation.algorithm.c_str())
          << QString::fromStdString(operation.id)
          << QString::fromStdString(implementation.algorithm);
    }
  }
}

}  // namespace seedwave::test
