// SPDX-License-Identifier: Apache-2.0
#include "core/ops/table_csv.h"

#include "core/base/number_text.h"

#include <cmath>
#include <cstddef>

namespace seedwave {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string csv_of(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += (i == 0 ? "" : ",") + csv_field(table.columns[i]);
  text += "\n";
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
