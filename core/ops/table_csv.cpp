// SPDX-License-Identifier: Apache-2.0
#include "core/ops/table_csv.h"

#include "core/base/csv.h"
#include "core/base/number_text.h"

#include <cmath>
#include <cstddef>

namespace seedwave {

std::string csv_of(const Table& table) {
  std::string text = csv_line(table.columns);
  for (const std::vector<double>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ",";
      if (std::isfinite(row[i])) text += number_text(row[i]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace seedwave
