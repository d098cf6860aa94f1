// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation_table.h"

#include <string>

namespace seedwave::cli {

/// Returns docs/operations.md: every operation of the table with inputs, parameters, outputs and
/// algorithms.
[[nodiscard]] std::string reference_page(const OperationTable& table);

}  // namespace seedwave::cli
