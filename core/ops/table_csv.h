// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/operation.h"

#include <string>

namespace seedwave {

/// A text as a field of CSV: in quotes where it has a comma, a quote or a line end, as RFC 4180 has
/// it.
[[nodiscard]] std::string csv_field(const std::string& text);

/// A curve or table as CSV: a line of column names, then a line a row, numbers with '.' at full
/// precision. What is no number stays empty.
[[nodiscard]] std::string csv_of(const Table& table);

}  // namespace seedwave
