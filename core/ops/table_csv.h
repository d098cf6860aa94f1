// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <string>

namespace seedwave {

/// Returns a curve or table as CSV: a line of column names, then a line per row, numbers with '.'
/// at full precision. NaN is left empty.
[[nodiscard]] std::string csv_of(const Table& table);

}  // namespace seedwave
