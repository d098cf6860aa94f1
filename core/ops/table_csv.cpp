// SPDX-License-Identifier: Apache-2.0
#include "core/ops/table_csv.h"

#include "core/base/number_text.h"

#include <cmath>
#include <cstddef>

namespace seedwave {
namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name) {
    if (letter == '"') text += '"';
    text += letter;
  }
  return text + '"';
}

}  // namespace

std::string csv_of(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += (i == 0 ? "" : ",") + quoted(table.columns[i]);
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
