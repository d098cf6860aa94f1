// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Tables as comma-separated values, as RFC 4180 has them.
namespace seedwave {

/// A text as a field of CSV: in quotes where it has a comma, a quote or a line end.
[[nodiscard]] std::string csv_field(const std::string& text);
/// The fields with commas between them, and a line end.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& fields);

/// One record of a CSV file.
struct CsvRecord {
  /// Where it begins, from 1: a field in quotes may hold line ends, so records are no lines.
  int line = 1;
  std::vector<std::string> fields;
  friend bool operator==(const CsvRecord&, const CsvRecord&) = default;
};

/// The records of a CSV text, empty lines left out. Lines end with LF, CR LF or CR; the mark that
/// some programs begin UTF-8 with is no part of the first field. Blanks belong to their field.
/// Throws InputError, "line 3: ...": a quote that does not end, or that stands inside a field that
/// does not begin with one, text behind a closing quote, a NUL.
[[nodiscard]] std::vector<CsvRecord> parse_csv(std::string_view text);

}  // namespace seedwave
