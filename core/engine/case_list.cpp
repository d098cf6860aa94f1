// SPDX-License-Identifier: Apache-2.0
#include "core/engine/case_list.h"

#include "core/base/csv.h"
#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace seedwave {
namespace {

constexpr const char* kName = "name";
constexpr const char* kUse = "use";

/// Returns the columns in their usual order.
std::vector<PathColumn> path_columns(const Operation& operation) {
  std::vector<PathColumn> columns;
  for (const InputSpec& input : operation.inputs)
    columns.push_back({name_of(input.kind), input.required});
  columns.push_back({"reference", true});
  return columns;
}

[[noreturn]] void refuse(int line, const std::string& why) {
  throw InputError("line " + std::to_string(line) + ": " + why);
}

/// Quotes and shortens a text of the file for a message of one line.
std::string shown(const std::string& text) {
  constexpr std::size_t kMost = 60;
  return "'" + (text.size() <= kMost ? text : text.substr(0, kMost) + "...") + "'";
}

std::string listed(const std::vector<PathColumn>& columns) {
  std::string text;
  for (const PathColumn& column : columns)
    text += column.name + ", ";
  return text + kUse + ", " + kName;
}

void check_header(const CsvRecord& header, const std::vector<PathColumn>& columns,
                  const std::string& of) {
  for (const std::string& field : header.fields) {
    const bool known = field == kName || field == kUse ||
                       std::any_of(columns.begin(), columns.end(),
                                   [&](const PathColumn& column) { return column.name == field; });
    if (!known) {
      refuse(header.line, of + " has no column " + shown(field) + ", only " + listed(columns));
    }
    if (std::count(header.fields.begin(), header.fields.end(), field) > 1) {
      refuse(header.line, "the column '" + field + "' appears twice");
    }
  }
  for (const PathColumn& column : columns) {
    if (!column.required || std::count(header.fields.begin(), header.fields.end(), column.name) > 0)
      continue;
    refuse(header.line, "the column '" + column.name + "' is missing");
  }
}

ListedCase::Use use_of(const std::string& text, int line) {
  if (text.empty() || text == name_of(ListedCase::Use::Tune)) return ListedCase::Use::Tune;
  if (text == name_of(ListedCase::Use::Test)) return ListedCase::Use::Test;
  refuse(line, "the use must be tune or test, not " + shown(text));
}

ListedCase case_of(const CsvRecord& record, const CsvRecord& header,
                   const std::vector<PathColumn>& columns) {
  if (record.fields.size() != header.fields.size()) {
    refuse(record.line, "the first line names " + std::to_string(header.fields.size()) +
                            " columns, but this one has " + std::to_string(record.fields.size()));
  }
  ListedCase one{.name = {}, .line = record.line};
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    const std::string& column = header.fields[i];
    const std::string& field = record.fields[i];
    if (column == kName) {
      const bool is_one_line = std::none_of(field.begin(), field.end(),
                                            [](unsigned char letter) { return letter < ' '; });
      if (!is_one_line) refuse(record.line, "a name must not contain line breaks or tabs");
      one.name = field;
    } else if (column == kUse) {
      one.use = use_of(field, record.line);
    } else if (!field.empty()) {
      one.paths[column] = field;
    }
  }
  for (const PathColumn& column : columns) {
    if (column.required && !one.paths.contains(column.name)) {
      refuse(record.line, "no path in column '" + column.name + "'");
    }
  }
  return one;
}

}  // namespace

std::string name_of(ListedCase::Use use) {
  return use == ListedCase::Use::Tune ? "tune" : "test";
}

std::vector<ListedCase> parse_cases(const std::string& of, const std::vector<PathColumn>& columns,
                                    const std::string& text) {
  const std::vector<CsvRecord> records = parse_csv(text);
  if (records.empty()) throw InputError("empty: the first line must name the columns");
  const CsvRecord& header = records.front();
  check_header(header, columns, of);
  if (records.size() == 1) throw InputError("no case below the line that names the columns");
  if (records.size() - 1 > kMostCases)
    throw InputError("more than " + std::to_string(kMostCases) + " cases");
  std::vector<ListedCase> cases;
  std::map<std::string, int> lines;
  for (std::size_t i = 1; i < records.size(); ++i) {
    ListedCase one = case_of(records[i], header, columns);
    if (one.name.empty()) one.name = std::to_string(i);
    const auto [found, is_new] = lines.emplace(one.name, one.line);
    if (!is_new) {
      refuse(one.line, "line " + std::to_string(found->second) + " already has a case named " +
                           shown(one.name));
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<ListedCase> parse_sweep_cases(const std::string& of,
                                          const std::vector<PathColumn>& columns,
                                          const std::string& text) {
  std::vector<ListedCase> cases = parse_cases(of, columns, text);
  if (cases.size() > kMostSweepCases)
    throw InputError("more than " + std::to_string(kMostSweepCases) + " cases");
  if (std::ranges::find(cases, ListedCase::Use::Tune, &ListedCase::use) == cases.end())
    throw InputError("no case to tune: the use of all cases is test");
  return cases;
}

std::vector<ListedCase> parse_sweep_cases(const Operation& operation, const std::string& text) {
  if (operation.main_output().labels() == nullptr)
    throw UsageError(operation.id + " has no label output, which cases are scored by");
  return parse_sweep_cases(operation.id, path_columns(operation), text);
}

}  // namespace seedwave
