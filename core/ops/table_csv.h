// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <string>

namespace seedwave {

/// A curve or table as CSV: a line of column names, then a line per row, numbers with '.' at full
/// precision. What is no number stays empty.
[[nodiscard]] std::string csv_of(const Table& table);

}  // namespace seedwave
