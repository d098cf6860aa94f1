// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/engine/case_list.h"
#include "core/ops/operation_table.h"

#include <cstdlib>
#include <string>

/// A sweep's list of cases. CSV that can be read is written back to text that reads the same. Every
/// case that can be read has a name and the paths that its operation needs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace seedwave;
  static const OperationTable table = make_operation_table();
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  try {
    // After a line, since a byte order mark counts only at the start.
    std::string written = "first\n";
    for (CsvRecord& record : parse_csv(text)) {
      // With one more field, since a line of one empty field is no record.
      record.fields.emplace_back();
      written += csv_line(record.fields);
    }
    std::string again;
    for (const CsvRecord& record : parse_csv(written))
      again += csv_line(record.fields);
    if (again != written) std::abort();
  } catch (const InputError&) {
  }
  for (const Operation& operation : table.operations()) {
    if (operation.main_output().labels() == nullptr) continue;
    try {
      const auto cases = parse_sweep_cases(operation, text);
      if (cases.empty() || cases.size() > kMostSweepCases) std::abort();
      for (const ListedCase& one : cases) {
        if (one.name.empty() || !one.paths.contains("reference")) std::abort();
        for (const InputSpec& input : operation.inputs) {
          if (input.required && !one.paths.contains(name_of(input.kind))) std::abort();
        }
      }
    } catch (const InputError&) {
    }
  }
  return 0;
}
