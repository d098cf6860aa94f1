// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::test {

/// Adds a device that is none to the table. What the CPU computes of the operation in shares, this
/// "device" computes by the same code.
inline OperationTable with_pretended_device(OperationTable table, const std::string& operation) {
  constexpr std::int64_t kBytes = 1'000'000'000;
  table.set_devices({{0, "Pretended GPU", kBytes, kBytes}}, "");
  std::vector<Implementation> shared;
  for (const Implementation& each : table.at(operation).implementations) {
    if (each.sharing != Sharing::None) shared.push_back(each);
  }
  for (Implementation& each : shared) {
    each.backend = Backend::Cuda;
    table.add(operation, std::move(each));
  }
  return table;
}

}  // namespace seedwave::test
