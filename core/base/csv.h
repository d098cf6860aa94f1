// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Tables as comma-separated values (RFC 4180).
namespace seedwave {

/// Returns a text as a CSV field, quoted if it has a comma, a quote or a line end.
[[nodiscard]] std::string csv_field(const std::string& text);
/// Returns the fields separated by commas, and a line end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

/// One record of a CSV file.
struct CsvRecord {
  /// Number of the line at which it begins, from 1. A quoted field may contain line ends, so
  /// records are not lines.
  int line = 1;
  std::vector<std::string> fields;
  friend bool operator==(const CsvRecord&, const CsvRecord&) = default;
};

/// Returns the records of a CSV text without empty lines. Lines end with LF, CR LF or CR. A byte
/// order mark is not part of the first field. Blanks belong to their field.
/// Throws InputError, "line 3: ...", for a quote that is not closed or that stands inside an
/// unquoted field, for text after a closing quote, and for a NUL.
[[nodiscard]] std::vector<CsvRecord> parse_csv(std::string_view text);

}  // namespace seedwave
