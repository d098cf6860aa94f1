// SPDX-License-Identifier: Apache-2.0
#include "core/ops/sweep/sweep_report.h"

#include "core/base/csv.h"
#include "core/base/number_text.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

using nlohmann::ordered_json;

/// What the rows give together.
struct Found {
  SweepScores scores;
  std::optional<Plateau> plateau;

  [[nodiscard]] bool on_plateau(std::size_t run) const {
    return plateau && std::binary_search(plateau->runs.begin(), plateau->runs.end(), run);
  }
};

Found found_in(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  Found found{.scores = scores_of(sweep.grid(), rows), .plateau = {}};
  found.plateau = find_plateau(sweep.grid(), found.scores, tolerance);
  return found;
}

bool gives_labels(const Sweep& sweep) {
  return sweep.operation().main_output().kind == OutputKind::Labels;
}

std::string text_of(const std::optional<double>& number) {
  return number ? number_text(*number) : "";
}

std::vector<std::string> columns_of(const Sweep& sweep) {
  std::vector<std::string> columns{"run"};
  for (const SweepAxis& axis : sweep.grid().axes())
    columns.push_back(axis.parameter);
  if (sweep.is_scored()) {
    columns.insert(columns.end(), {"dice", "jaccard", "neighbours", "plateau"});
    for (const std::uint16_t label : sweep.labels()) {
      columns.push_back("dice_" + std::to_string(label));
      columns.push_back("jaccard_" + std::to_string(label));
    }
  }
  if (gives_labels(sweep)) {
    columns.insert(columns.end(), {"labels", "voxels"});
    for (const std::uint16_t label : sweep.counted())
      columns.push_back("voxels_" + std::to_string(label));
  }
  columns.insert(columns.end(), {"ms", "digest", "failure"});
  return columns;
}

std::vector<std::string> fields_of(const Sweep& sweep, const SweepRow& row, const Found& found) {
  const bool failed = !row.failure.empty();
  std::vector<std::string> fields{std::to_string(row.run + 1)};
  for (const auto& axis : sweep.grid().axes())
    fields.push_back(seedwave::text_of(sweep.grid().values_of(row.run).at(axis.parameter)));
  if (sweep.is_scored()) {
    const auto add = [&](const SweepScore* score) {
      fields.push_back(score != nullptr ? number_text(score->dice) : "");
      fields.push_back(score != nullptr ? number_text(score->jaccard) : "");
    };
    add(row.score ? &*row.score : nullptr);
    fields.push_back(text_of(neighbour_mean(sweep.grid(), found.scores, row.run)));
    fields.emplace_back(found.on_plateau(row.run) ? "1" : "0");
    for (const std::uint16_t label : sweep.labels()) {
      const auto score = row.by_label.find(label);
      add(score == row.by_label.end() ? nullptr : &score->second);
    }
  }
  if (gives_labels(sweep)) {
    const auto add = [&](std::int64_t count) {
      fields.push_back(failed ? "" : std::to_string(count));
    };
    add(row.label_count);
    add(row.labelled);
    for (const std::uint16_t label : sweep.counted())
      add(failed ? 0 : row.voxels.at(label));
  }
  fields.push_back(failed ? "" : number_text(row.ms));
  fields.push_back(row.digest);
  fields.push_back(row.failure);
  return fields;
}

ordered_json json_of(const Values& values) {
  ordered_json json = ordered_json::object();
  for (const auto& [id, value] : values)
    json[id] = to_json(value);
  return json;
}

ordered_json number_or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json json_of(const Sweep& sweep, const SweepRow& row, const Found& found) {
  ordered_json json{{"run", row.run + 1}, {"varied", json_of(sweep.grid().values_of(row.run))}};
  if (!row.failure.empty()) {
    json["failure"] = row.failure;
    return json;
  }
  json["values"] = json_of(row.values);
  if (row.score) {
    json["dice"] = row.score->dice;
    json["jaccard"] = row.score->jaccard;
    json["neighbours"] = number_or_null(neighbour_mean(sweep.grid(), found.scores, row.run));
    json["plateau"] = found.on_plateau(row.run);
  }
  if (gives_labels(sweep)) {
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
  json["ms"] = row.ms;
  json["digest"] = row.digest;
  return json;
}

ordered_json json_of(const SweepAxis& axis) {
  ordered_json json{{"parameter", axis.parameter},
                    {"scale", axis.scale == Parameter::Scale::Linear ? "linear" : "logarithmic"}};
  json["values"] = ordered_json::array();
  for (const Value& value : axis.values)
    json["values"].push_back(to_json(value));
  return json;
}

/// A run of the plateau, short.
ordered_json place_json(const Sweep& sweep, const Found& found, std::size_t run) {
  return {{"run", run + 1},
          {"varied", json_of(sweep.grid().values_of(run))},
          {"dice", number_or_null(found.scores[run])},
          {"neighbours", number_or_null(neighbour_mean(sweep.grid(), found.scores, run))}};
}

}  // namespace

std::string to_csv(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const Found found = found_in(sweep, rows, tolerance);
  std::string text = csv_line(columns_of(sweep));
  for (const SweepRow& row : rows)
    text += csv_line(fields_of(sweep, row, found));
  return text;
}

ordered_json to_json(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const Found found = found_in(sweep, rows, tolerance);
  const RunRequest& base = sweep.base();
  const Geometry& geometry = base.inputs.image.geometry();
  ordered_json json{{"operation", sweep.operation().id}};
  const auto ran = std::find_if(rows.begin(), rows.end(),
                                [](const SweepRow& row) { return row.failure.empty(); });
  if (ran != rows.end()) {
    json["algorithm"] = ran->algorithm;
    json["backend"] = name_of(ran->backend);
    json["device"] = ran->device;
    json["why"] = ran->why;
  }
  json["image"] = {{"size", geometry.size},
                   {"spacing", geometry.spacing},
                   {"type", name_of(base.inputs.image.type())}};
  json["set"] = json_of(base.values);
  json["varied"] = ordered_json::array();
  for (const SweepAxis& axis : sweep.grid().axes())
    json["varied"].push_back(json_of(axis));
  json["runs"] = sweep.grid().size();
  json["done"] = rows.size();
  json["scored"] = sweep.is_scored() ? ordered_json(scored_text(sweep)) : ordered_json(nullptr);
  json["rows"] = ordered_json::array();
  for (const SweepRow& row : rows)
    json["rows"].push_back(json_of(sweep, row, found));
  json["best"] = nullptr;
  json["plateau"] = nullptr;
  if (found.plateau) {
    json["best"] = place_json(sweep, found, found.plateau->best);
    json["plateau"] = {{"tolerance", tolerance},
                       {"runs", ordered_json::array()},
                       {"centre", place_json(sweep, found, found.plateau->centre)},
                       {"ends", could_go_on(sweep, *found.plateau)}};
    for (const std::size_t run : found.plateau->runs)
      json["plateau"]["runs"].push_back(run + 1);
  }
  json["warnings"] = warnings_of(rows);
  return json;
}

std::vector<std::string> warnings_of(std::span<const SweepRow> rows) {
  std::vector<std::string> warnings;
  for (const SweepRow& row : rows) {
    for (const std::string& warning : row.warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
        warnings.push_back(warning);
    }
  }
  return warnings;
}

std::string scored_text(const Sweep& sweep) {
  const std::vector<std::uint16_t>& labels = sweep.labels();
  if (labels.empty()) return "all that is labelled";
  if (labels.size() == 1) return "label " + std::to_string(labels.front());
  std::string text = "labels ";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) text += i + 1 == labels.size() ? " and " : ", ";
    text += std::to_string(labels[i]);
  }
  return text + " (mean)";
}

std::vector<std::string> could_go_on(const Sweep& sweep, const Plateau& plateau) {
  std::vector<std::string> ids;
  for (const std::string& id : plateau.at_ends) {
    const Parameter& parameter = sweep.operation().parameter(id);
    const bool goes_on = std::any_of(plateau.runs.begin(), plateau.runs.end(), [&](auto run) {
      const auto& axes = sweep.grid().axes();
      const auto axis = static_cast<std::size_t>(
          std::find_if(axes.begin(), axes.end(), [&](const auto& a) { return a.parameter == id; }) -
          axes.begin());
      const std::size_t at = sweep.grid().place_of(run)[axis];
      const std::vector<Value>& values = axes[axis].values;
      if (at != 0 && at + 1 != values.size()) return false;
      const auto* number = std::get_if<double>(&values[at]);
      return number != nullptr && *number > parameter.low && *number < parameter.high;
    });
    if (goes_on) ids.push_back(id);
  }
  return ids;
}

}  // namespace seedwave
