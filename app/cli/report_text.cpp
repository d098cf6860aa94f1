// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_text.h"

#include "core/base/number_text.h"
#include "core/image/label_map.h"

#include <algorithm>

namespace seedwave::cli {
namespace {

std::string where(const RunReport& report) {
  std::string text = report.facts.device.empty() ? "CPU" : report.facts.device;
  if (!report.facts.why.empty()) text += ", " + report.facts.why;
  return text;
}

std::string stages(const RunReport& report) {
  std::string text;
  for (const StageTime& time : report.facts.stages)
    text += (text.empty() ? "" : ", ") + time.stage + " " + fixed_text(time.ms, 1);
  return text;
}

std::string label_line(const RunReport& report, Label label, std::int64_t voxels) {
  const Geometry& geometry = report.geometry;
  std::string line = "  label " + std::to_string(label) + ": " + std::to_string(voxels) +
                     (geometry.unit == LengthUnit::Millimetre ? " voxels" : " pixels");
  if (geometry.unit == LengthUnit::Micrometre) {
    line += ", " + fixed_text(static_cast<double>(voxels) * geometry.voxel_volume(), 2) +
            " \u00b5m\u00b2";
  }
  if (geometry.unit == LengthUnit::Millimetre) {
    constexpr double kPerMillilitre = 1000.0;
    line += ", " +
            fixed_text(static_cast<double>(voxels) * geometry.voxel_volume() / kPerMillilitre, 2) +
            " ml";
  }
  const auto dice = report.dice.find(label);
  if (dice != report.dice.end()) {
    line += ", Dice " + (dice->second ? fixed_text(*dice->second, 4) : "-");
  }
  return line + "\n";
}

/// More labels than this are summarised in one line.
constexpr std::size_t kMostLines = 100;

/// Returns "  1018 labels of 12 to 340 voxels, median 51".
std::string objects_line(const LabelCounts& counts) {
  std::vector<std::int64_t> sizes;
  for (const auto& [label, voxels] : counts)
    sizes.push_back(voxels);
  std::sort(sizes.begin(), sizes.end());
  return "  " + std::to_string(sizes.size()) + " labels of " + std::to_string(sizes.front()) +
         " to " + std::to_string(sizes.back()) + " voxels, median " +
         std::to_string(sizes[sizes.size() / 2]) + "\n";
}

/// Returns "    angle 2.297, confidence 0.978" for a table of one row, else "".
std::string only_row(const Table& table) {
  if (table.rows.size() != 1) return "";
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += (i == 0 ? "    " : ", ") + table.columns[i] + " " + number_text(table.rows[0][i]);
  return text + "\n";
}

}  // namespace

std::string report_text(const RunReport& report, const std::vector<double>& totals) {
  std::string text = report.operation + " (" + report.facts.algorithm + ") on " + where(report) +
                     ": " + fixed_text(report.facts.total_ms, 1) + " ms";
  if (totals.size() > 1) {
    const auto [least, most] = std::minmax_element(totals.begin(), totals.end());
    text += " (median of " + std::to_string(totals.size()) + ", " + fixed_text(*least, 1) + " to " +
            fixed_text(*most, 1) + ")";
  }
  text += "\n  ms: " + stages(report) + "\n";
  for (const RunFacts::Share& share : report.facts.shares)
    text += "  " + share_text(share) + "\n";
  if (const RunFacts::Processes& processes = report.facts.processes; processes.count > 1) {
    text += "  " + std::to_string(processes.count) + " processes sent " +
            std::to_string(processes.messages) + " layers, " + in_bytes(processes.message_bytes) +
            ", and states, " + in_bytes(processes.shared_bytes) + "\n";
  }
  for (const auto& [id, summary] : report.summaries) {
    text += "  " + id + " " + summary.digest + "\n";
    if (const auto* table = std::get_if<Table>(&report.outputs.at(id))) text += only_row(*table);
    if (!std::holds_alternative<LabelMap>(report.outputs.at(id))) continue;
    if (summary.counts.size() > kMostLines) {
      text += objects_line(summary.counts);
      continue;
    }
    for (const auto& [label, voxels] : summary.counts)
      text += label_line(report, label, voxels);
    for (const auto& [label, dice] : report.dice) {
      if (!summary.counts.contains(label)) text += label_line(report, label, 0);
    }
  }
  return text;
}

}  // namespace seedwave::cli
