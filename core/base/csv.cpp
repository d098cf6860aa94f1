// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"

#include "core/base/error.h"

#include <cstddef>
#include <utility>

namespace seedwave {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A position in the text that knows its line.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] bool at_line_end() const { return !at_end() && (peek() == '\n' || peek() == '\r'); }
  [[nodiscard]] bool at(char letter) const { return !at_end() && peek() == letter; }
  [[nodiscard]] int line() const { return line_; }
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError("line " + std::to_string(line_) + ": " + why);
  }
  char take() {
    const char letter = peek();
    if (letter == '\0') fail("a NUL character: this is not a text file");
    ++at_;
    const bool half = letter == '\r' && at('\n');  // the following LF ends the line
    if ((letter == '\n' || letter == '\r') && !half) ++line_;
    return letter;
  }
  void take_line_end() {
    if (take() == '\r' && at('\n')) take();
  }

 private:
  [[nodiscard]] char peek() const { return text_[at_]; }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::string quoted_field(Reader& reader) {
  const Reader begin = reader;
  reader.take();
  std::string field;
  for (;;) {
    if (reader.at_end()) begin.fail("a quote is not closed");
    const char letter = reader.take();
    if (letter != '"') {
      field += letter;
    } else if (reader.at('"')) {
      field += reader.take();
    } else {
      break;
    }
  }
  if (!reader.at_end() && !reader.at(',') && !reader.at_line_end()) {
    reader.fail("text after a closing quote");
  }
  return field;
}

std::string plain_field(Reader& reader) {
  std::string field;
  while (!reader.at_end() && !reader.at(',') && !reader.at_line_end()) {
    if (reader.at('"'))
      reader.fail("a quote inside an unquoted field: put the whole field in quotes");
    field += reader.take();
  }
  return field;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i)
    line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  return line + "\n";
}

std::vector<CsvRecord> parse_csv(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Reader reader(text);
  std::vector<CsvRecord> records;
  while (!reader.at_end()) {
    if (reader.at_line_end()) {
      reader.take_line_end();
      continue;
    }
    CsvRecord record{.line = reader.line(), .fields = {}};
    for (;;) {
      record.fields.push_back(reader.at('"') ? quoted_field(reader) : plain_field(reader));
      if (!reader.at(',')) break;
      reader.take();
    }
    if (!reader.at_end()) reader.take_line_end();
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace seedwave
