// SPDX-License-Identifier: Apache-2.0
#include "core/ops/curve_columns.h"

#include "core/base/number_text.h"
#include "core/image/label_map.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace seedwave {
namespace {

constexpr std::string_view kOfLabel = "_of_label_";

/// Returns "open_voids" as "Open voids".
std::string title_of(std::string id) {
  std::replace(id.begin(), id.end(), '_', ' ');
  id.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(id.front())));
  return id;
}

/// Parses a name that column_name() wrote; returns nothing for other names.
std::optional<CurveColumn> read_column(const ColumnSpec& spec, std::string_view name) {
  if (!name.starts_with(spec.id + "_")) return std::nullopt;
  name.remove_prefix(spec.id.size() + 1);
  const auto number = take_number<std::uint32_t>(name);
  if (!number) return std::nullopt;
  CurveColumn column{.spec = &spec, .title = title_of(spec.id) + " " + std::to_string(*number)};
  if (name.empty()) return column;
  if (!name.starts_with(kOfLabel)) return std::nullopt;
  name.remove_prefix(kOfLabel.size());
  column.label = take_number<Label>(name);
  if (!column.label || !name.empty()) return std::nullopt;
  return column;
}

}  // namespace

std::vector<CurveColumn> curve_columns(const OutputSpec& output, const Table& table) {
  const std::vector<ColumnSpec>& specs = output.columns();
  const bool repeats = !specs.empty() && specs.back().repeats;
  if (repeats ? table.columns.size() < specs.size() : table.columns.size() != specs.size())
    return {};
  std::vector<CurveColumn> columns;
  for (const ColumnSpec& spec : specs) {
    if (!spec.repeats) columns.push_back({.spec = &spec, .title = spec.title});
  }
  while (columns.size() < table.columns.size()) {
    std::optional<CurveColumn> column = read_column(specs.back(), table.columns[columns.size()]);
    if (!column) return {};
    columns.push_back(std::move(*column));
  }
  return columns;
}

std::string column_name(const std::string& id, std::int64_t number, std::optional<Label> label) {
  std::string name = id + "_" + std::to_string(number);
  if (label) name += std::string(kOfLabel) + std::to_string(*label);
  return name;
}

}  // namespace seedwave
