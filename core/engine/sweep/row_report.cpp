// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/row_report.h"

#include "core/base/number_text.h"
#include "core/image/label_map.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::ordered_json;

std::string number_or_empty(const std::optional<double>& number) {
  return number ? number_text(*number) : "";
}

/// Returns a summary of a run.
ordered_json place_json(const SweepGrid& grid, const SweepFindings& found, std::size_t run) {
  return {{"run", run + 1},
          {"varied", values_json(grid.values_of(run))},
          {"dice", number_or_null(found.scores[run])},
          {"neighbours", number_or_null(neighbour_mean(grid, found.scores, run))}};
}

}  // namespace

RowLayout layout_of(const Sweep& sweep) {
  return {.grid = sweep.grid(),
          .is_scored = sweep.is_scored(),
          .gives_labels = sweep.gives_labels(),
          .labels = sweep.labels(),
          .counted = sweep.counted()};
}

std::vector<std::string> columns_of(const RowLayout& layout) {
  std::vector<std::string> columns{"run"};
  for (const SweepAxis& axis : layout.grid.axes())
    columns.push_back(axis.parameter);
  if (layout.is_scored) {
    columns.insert(columns.end(), {"dice", "jaccard", "neighbours", "plateau"});
    for (const Label label : layout.labels) {
      columns.push_back("dice_" + std::to_string(label));
      columns.push_back("jaccard_" + std::to_string(label));
    }
  }
  if (layout.gives_labels) {
    columns.insert(columns.end(), {"labels", "voxels"});
    for (const Label label : layout.counted)
      columns.push_back("voxels_" + std::to_string(label));
  }
  columns.insert(columns.end(), {"ms", "digest", "failure"});
  return columns;
}

std::vector<std::string> fields_of(const RowLayout& layout, const SweepRow& row,
                                   const SweepFindings& found) {
  const bool ran = !row.facts.digest.empty();
  const Values values = layout.grid.values_of(row.run);
  std::vector<std::string> fields{std::to_string(row.run + 1)};
  for (const SweepAxis& axis : layout.grid.axes())
    fields.push_back(text_of(values.at(axis.parameter)));
  if (layout.is_scored) {
    const auto add = [&](const SweepScore* score) {
      fields.push_back(score != nullptr ? number_text(score->dice) : "");
      fields.push_back(score != nullptr ? number_text(score->jaccard) : "");
    };
    add(row.score ? &*row.score : nullptr);
    fields.push_back(number_or_empty(neighbour_mean(layout.grid, found.scores, row.run)));
    fields.emplace_back(found.on_plateau(row.run) ? "1" : "0");
    for (const Label label : layout.labels) {
      const auto score = row.by_label.find(label);
      add(score == row.by_label.end() ? nullptr : &score->second);
    }
  }
  if (layout.gives_labels) {
    fields.push_back(ran ? std::to_string(row.label_count) : "");
    fields.push_back(ran ? std::to_string(row.labelled) : "");
    for (const Label label : layout.counted) {
      const auto count = row.voxels.find(label);
      fields.push_back(count == row.voxels.end() ? "" : std::to_string(count->second));
    }
  }
  fields.push_back(ran ? number_text(row.facts.total_ms) : "");
  fields.push_back(row.facts.digest);
  fields.push_back(row.failure);
  return fields;
}

ordered_json row_json(const RowLayout& layout, const SweepRow& row, const SweepFindings& found) {
  ordered_json json{{"run", row.run + 1}, {"varied", values_json(layout.grid.values_of(row.run))}};
  if (!row.failure.empty()) {
    json["failure"] = row.failure;
    return json;
  }
  json["values"] = values_json(row.facts.values);
  if (row.score) {
    json["dice"] = row.score->dice;
    json["jaccard"] = row.score->jaccard;
    json["neighbours"] = number_or_null(neighbour_mean(layout.grid, found.scores, row.run));
    json["plateau"] = found.on_plateau(row.run);
  }
  if (layout.gives_labels) {
    json["label_count"] = row.label_count;
    json["voxels"] = row.labelled;
    json["labels"] = ordered_json::object();
    for (const auto& [label, count] : row.voxels) {
      ordered_json& entry = json["labels"][std::to_string(label)];
      const auto score = row.by_label.find(label);
      if (score != row.by_label.end()) {
        entry["dice"] = score->second.dice;
        entry["jaccard"] = score->second.jaccard;
      }
      entry["voxels"] = count;
    }
  }
  json["ms"] = row.facts.total_ms;
  json["digest"] = row.facts.digest;
  return json;
}

ordered_json axes_json(const SweepGrid& grid) {
  ordered_json json = ordered_json::array();
  for (const SweepAxis& axis : grid.axes()) {
    ordered_json values = ordered_json::array();
    for (const Value& value : axis.values)
      values.push_back(to_json(value));
    const bool linear = axis.scale == Scale::Linear;
    json.push_back({{"parameter", axis.parameter},
                    {"scale", linear ? "linear" : "logarithmic"},
                    {"values", std::move(values)}});
  }
  return json;
}

const SweepRow* first_that_ran(std::span<const SweepRow> rows) {
  const auto ran = std::find_if(rows.begin(), rows.end(),
                                [](const SweepRow& row) { return row.failure.empty(); });
  return ran == rows.end() ? nullptr : &*ran;
}

ordered_json how_json(std::span<const SweepRow> rows) {
  const SweepRow* ran = first_that_ran(rows);
  if (ran == nullptr) return ordered_json::object();
  return {{"algorithm", ran->facts.algorithm},
          {"backend", ran->facts.backend},
          {"device", ran->facts.device},
          {"why", ran->facts.why}};
}

ordered_json findings_json(const Operation& operation, const SweepGrid& grid,
                           const SweepFindings& found, double tolerance) {
  ordered_json json{{"best", nullptr}, {"plateau", nullptr}};
  if (!found.plateau) return json;
  json["best"] = place_json(grid, found, found.plateau->best);
  json["plateau"] = {{"tolerance", tolerance},
                     {"runs", ordered_json::array()},
                     {"centre", place_json(grid, found, found.plateau->centre)},
                     {"ends", could_go_on(operation, grid, *found.plateau)}};
  for (const std::size_t run : found.plateau->runs)
    json["plateau"]["runs"].push_back(run + 1);
  return json;
}

std::string scored_text(const std::vector<Label>& labels, Scored scored) {
  const std::string where =
      scored == Scored::WhereLabelled ? ", where the reference is labelled" : "";
  if (labels.empty()) return "all labelled voxels" + where;
  if (labels.size() == 1) return "label " + std::to_string(labels.front()) + where;
  std::string text = "labels ";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) text += i + 1 == labels.size() ? " and " : ", ";
    text += std::to_string(labels[i]);
  }
  return text + " (mean)" + where;
}

std::vector<std::string> could_go_on(const Operation& operation, const SweepGrid& grid,
                                     const Plateau& plateau) {
  const auto& axes = grid.axes();
  std::vector<std::string> ids;
  for (const std::string& id : plateau.at_ends) {
    const NumberDomain* range = operation.parameter(id).numbers();
    if (range == nullptr) continue;
    const auto axis = static_cast<std::size_t>(
        std::find_if(axes.begin(), axes.end(), [&](const auto& a) { return a.parameter == id; }) -
        axes.begin());
    const bool goes_on = std::any_of(plateau.runs.begin(), plateau.runs.end(), [&](auto run) {
      const std::size_t at = grid.place_of(run)[axis];
      const std::vector<Value>& values = axes[axis].values;
      if (at != 0 && at + 1 != values.size()) return false;
      const auto* number = std::get_if<double>(&values[at]);
      return number != nullptr && *number > range->low && *number < range->high;
    });
    if (goes_on) ids.push_back(id);
  }
  return ids;
}

}  // namespace seedwave
