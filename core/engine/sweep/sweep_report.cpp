// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/sweep_report.h"

#include "core/base/csv.h"
#include "core/engine/sweep/row_report.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace seedwave {

using nlohmann::ordered_json;

std::string to_csv(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const RowLayout layout = layout_of(sweep, rows);
  const SweepFindings found = findings_of(sweep, rows, tolerance);
  std::string text = csv_line(columns_of(layout));
  for (const SweepRow& row : rows)
    text += csv_line(fields_of(layout, row, found));
  return text;
}

ordered_json to_json(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const RowLayout layout = layout_of(sweep, rows);
  const SweepFindings found = findings_of(sweep, rows, tolerance);
  const SweepSubject& subject = sweep.subject();
  ordered_json json{{subject.name().kind, subject.name().name}};
  json.update(how_json(rows));
  json["image"] = {{"size", subject.grid().size},
                   {"spacing", subject.grid().spacing},
                   {"type", name_of(subject.type())}};
  json["set"] = values_json(subject.values());
  json["varied"] = axes_json(sweep.grid());
  json["runs"] = sweep.grid().size();
  json["done"] = rows.size();
  json["scored"] = sweep.is_scored() ? ordered_json(scored_text(sweep.labels(), sweep.scored()))
                                     : ordered_json(nullptr);
  json["rows"] = ordered_json::array();
  for (const SweepRow& row : rows)
    json["rows"].push_back(row_json(layout, row, found));
  json.update(findings_json(layout, found, tolerance));
  json["warnings"] = warnings_of(rows);
  return json;
}

std::vector<std::string> warnings_of(std::span<const SweepRow> rows) {
  std::vector<std::string> warnings;
  for (const SweepRow& row : rows) {
    for (const std::string& warning : row.facts.warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
        warnings.push_back(warning);
    }
  }
  return warnings;
}

}  // namespace seedwave
