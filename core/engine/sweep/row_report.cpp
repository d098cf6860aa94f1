// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/row_report.h"

#include "core/base/number_text.h"
#include "core/image/label_map.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::ordered_json;

std::string number_or_empty(const std::optional<double>& number) {
  return number ? number_text(*number) : "";
}

/// Returns a summary of a run.
ordered_json place_json(const RowLayout& layout, const SweepFindings& found, std::size_t run) {
  return {{"run", run + 1},
          {"varied", values_json(layout.grid.values_of(run))},
          {id_of(layout.ranked_by), number_or_null(found.scores[run])},
          {"neighbours", number_or_null(neighbour_mean(layout.grid, found.scores, run))}};
}

/// The numbers of objects in a row, by the name of their column.
using ObjectCount = std::pair<const char*, std::int64_t (*)(const ObjectScores&)>;
constexpr std::array<ObjectCount, 4> kObjectCounts{
    {{"missed", [](const ObjectScores& objects) { return objects.missed(); }},
     {"spurious", [](const ObjectScores& objects) { return objects.spurious(); }},
     {"split", [](const ObjectScores& objects) { return objects.split; }},
     {"merged", [](const ObjectScores& objects) { return objects.merged; }}}};

std::vector<ScoreKind> kinds_of_objects() {
  std::vector<ScoreKind> kinds(score_kinds().begin(), score_kinds().end());
  std::erase_if(kinds, [](ScoreKind kind) { return !is_of_objects(kind); });
  return kinds;
}

void add_object_columns(std::vector<std::string>& columns) {
  for (const ScoreKind kind : kinds_of_objects())
    columns.push_back(id_of(kind));
  for (const auto& [name, count] : kObjectCounts)
    columns.emplace_back(name);
}

void add_object_fields(const SweepRow& row, std::vector<std::string>& fields) {
  for (const ScoreKind kind : kinds_of_objects())
    fields.push_back(number_or_empty(row.score(kind)));
  for (const auto& [name, count] : kObjectCounts)
    fields.push_back(row.objects ? std::to_string(count(*row.objects)) : "");
}

}  // namespace

RowLayout layout_of(const Sweep& sweep, std::span<const SweepRow> rows) {
  return {.grid = sweep.grid(),
          .is_scored = sweep.is_scored(),
          .counts_objects = sweep.counts_objects(),
          .gives_labels = sweep.subject().gives_labels(),
          .ranked_by = sweep.ranked_by(rows),
          .labels = sweep.labels(),
          .counted = sweep.counted()};
}

std::vector<std::string> columns_of(const RowLayout& layout) {
  std::vector<std::string> columns{"run"};
  for (const SweepAxis& axis : layout.grid.axes())
    columns.push_back(axis.parameter);
  if (layout.is_scored) {
    columns.insert(columns.end(), {"dice", "jaccard", "neighbours", "plateau"});
    if (layout.counts_objects) add_object_columns(columns);
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
    fields.push_back(number_or_empty(row.score(ScoreKind::Dice)));
    fields.push_back(number_or_empty(row.score(ScoreKind::Jaccard)));
    fields.push_back(number_or_empty(neighbour_mean(layout.grid, found.scores, row.run)));
    fields.emplace_back(found.on_plateau(row.run) ? "1" : "0");
    if (layout.counts_objects) add_object_fields(row, fields);
    for (const Label label : layout.labels) {
      const auto score = row.by_label.find(label);
      const bool has = score != row.by_label.end();
      fields.push_back(has ? number_text(score->second.dice) : "");
      fields.push_back(has ? number_text(score->second.jaccard) : "");
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
  if (!row.scores.empty()) {
    for (const ScoreKind kind : score_kinds()) {
      if (!is_of_objects(kind) || row.objects) json[id_of(kind)] = number_or_null(row.score(kind));
    }
    json["neighbours"] = number_or_null(neighbour_mean(layout.grid, found.scores, row.run));
    json["plateau"] = found.on_plateau(row.run);
  }
  if (row.objects) {
    for (const auto& [name, count] : kObjectCounts)
      json[name] = count(*row.objects);
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

ordered_json findings_json(const RowLayout& layout, const SweepFindings& found, double tolerance) {
  ordered_json json{
      {"ranked_by", nullptr}, {"best", nullptr}, {"plateau", nullptr}, {"flat", nullptr}};
  if (!found.plateau) return json;
  json["ranked_by"] = id_of(layout.ranked_by);
  json["best"] = place_json(layout, found, found.plateau->best);
  json["plateau"] = {{"tolerance", tolerance},
                     {"runs", ordered_json::array()},
                     {"centre", place_json(layout, found, found.plateau->centre)},
                     {"ends", could_go_on(layout.grid, *found.plateau)}};
  for (const std::size_t run : found.plateau->runs)
    json["plateau"]["runs"].push_back(run + 1);
  json["flat"] = found.is_flat();
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

}  // namespace seedwave
