// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/case_table.h"

#include "core/base/csv.h"
#include "core/base/number_text.h"
#include "core/image/label_map.h"
#include "core/ops/report_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::ordered_json;
using Use = ListedCase::Use;
using Scores = std::vector<std::optional<double>>;

double mean_of(const Scores& scores) {
  const double sum = std::accumulate(scores.begin(), scores.end(), 0.0,
                                     [](double so_far, const auto& s) { return so_far + *s; });
  return sum / static_cast<double>(scores.size());
}

/// Returns the scores of one combination for the cases of one use. Finds rows by binary search,
/// because there are many.
Scores scores_at(const CaseTable& table, Use use, std::size_t run, ScoreKind kind) {
  Scores scores;
  for (const CaseRows& one : table.cases) {
    if (one.use != use) continue;
    const auto row = std::lower_bound(one.rows.begin(), one.rows.end(), run,
                                      [](const SweepRow& r, std::size_t n) { return r.run < n; });
    const bool has = row != one.rows.end() && row->run == run;
    scores.push_back(has ? row->score(kind) : std::nullopt);
  }
  return scores;
}

bool all_there(const Scores& scores) {
  return !scores.empty() &&
         std::all_of(scores.begin(), scores.end(), [](const auto& score) { return !!score; });
}

/// Returns a layout with the labels of all cases.
RowLayout layout_of(const CaseTable& table) {
  std::set<Label> labels;
  std::set<Label> counted;
  for (const CaseRows& one : table.cases) {
    labels.insert(one.labels.begin(), one.labels.end());
    counted.insert(one.counted.begin(), one.counted.end());
  }
  return {.grid = table.grid,
          .is_scored = true,
          .counts_objects = std::ranges::any_of(table.cases, &CaseRows::counts_objects),
          .gives_labels = true,
          .ranked_by = table.ranked_by(),
          .labels = {labels.begin(), labels.end()},
          .counted = {counted.begin(), counted.end()}};
}

/// Returns the findings of one case. A single held-out run has neither neighbours nor a plateau.
SweepFindings findings_of_one(const CaseTable& table, const CaseRows& one, ScoreKind kind) {
  SweepScores scores(table.grid.size());
  if (one.use == Use::Test) return {.scores = std::move(scores), .plateau = {}};
  return findings_of(table.grid, scores_of(table.grid, one.rows, kind), table.tolerance);
}

std::string line_of(const std::string& name, Use use, std::vector<std::string> fields,
                    const std::optional<CaseFigures>& figures) {
  fields.insert(fields.begin(), {name, name_of(use)});
  fields.push_back(figures ? number_text(figures->min) : "");
  fields.push_back(figures && figures->spread ? number_text(*figures->spread) : "");
  return csv_line(fields);
}

/// The rows of the cases of one use.
std::string lines_of_cases(const CaseTable& table, const RowLayout& layout, Use use) {
  std::string text;
  for (const CaseRows& one : table.cases) {
    if (one.use != use || one.rows.empty()) continue;
    const SweepFindings found = findings_of_one(table, one, layout.ranked_by);
    for (const SweepRow& row : one.rows)
      text += line_of(one.name, use, fields_of(layout, row, found), {});
  }
  return text;
}

/// Returns a row of the means over the cases of one use.
SweepRow mean_row(const CaseTable& table, Use use, std::size_t run) {
  SweepRow row;
  row.run = run;
  for (const ScoreKind kind : score_kinds()) {
    const Scores scores = scores_at(table, use, run, kind);
    if (all_there(scores)) row.scores[kind] = mean_of(scores);
  }
  return row;
}

/// Returns the combination that the held-out cases were run with; nothing if none has run yet.
std::optional<std::size_t> tested_run(const CaseTable& table) {
  for (const CaseRows& one : table.cases) {
    if (one.use == Use::Test && !one.rows.empty()) return one.rows.front().run;
  }
  return {};
}

ordered_json figures_json(const std::optional<CaseFigures>& figures) {
  if (!figures) return nullptr;
  return {
      {"mean", figures->mean}, {"min", figures->min}, {"spread", number_or_null(figures->spread)}};
}

ordered_json rows_json(const CaseTable& table, const RowLayout& layout, Use use) {
  ordered_json rows = ordered_json::array();
  for (const CaseRows& one : table.cases) {
    if (one.use != use || one.rows.empty()) continue;
    const SweepFindings found = findings_of_one(table, one, layout.ranked_by);
    for (const SweepRow& row : one.rows) {
      ordered_json json{{"case", one.name}};
      json.update(row_json(layout, row, found));
      rows.push_back(std::move(json));
    }
  }
  return rows;
}

ordered_json case_json(const CaseRows& one) {
  return {{"case", one.name},
          {"use", name_of(one.use)},
          {"image",
           {{"size", one.geometry.size},
            {"spacing", one.geometry.spacing},
            {"type", name_of(one.type)}}},
          {"scored", scored_text(one.labels)},
          {"done", one.rows.size()}};
}

ordered_json combinations_json(const CaseTable& table, const RowLayout& layout,
                               const CaseFindings& findings) {
  ordered_json json = ordered_json::array();
  for (std::size_t run = 0; run < table.grid.size(); ++run) {
    if (!findings.figures[run]) continue;
    ordered_json& one = json.emplace_back();
    one = {{"run", run + 1},
           {"varied", values_json(table.grid.values_of(run))},
           {id_of(layout.ranked_by), figures_json(findings.figures[run])}};
    for (const auto& [kind, mean] : mean_row(table, Use::Tune, run).scores) {
      if (kind != layout.ranked_by) one[id_of(kind)] = mean;
    }
    one["neighbours"] = number_or_null(neighbour_mean(table.grid, findings.found.scores, run));
    one["plateau"] = findings.found.on_plateau(run);
  }
  return json;
}

}  // namespace

std::optional<CaseFigures> figures_of(std::span<const std::optional<double>> scores) {
  const Scores all(scores.begin(), scores.end());
  if (!all_there(all)) return {};
  CaseFigures figures{.mean = mean_of(all), .min = *all.front(), .spread = {}};
  double squares = 0.0;
  for (const auto& score : all) {
    figures.min = std::min(figures.min, *score);
    squares += (*score - figures.mean) * (*score - figures.mean);
  }
  if (all.size() > 1) figures.spread = std::sqrt(squares / static_cast<double>(all.size() - 1));
  return figures;
}

CaseRows rows_without_runs(const ListedCase& one, const Sweep& sweep) {
  return {.name = one.name,
          .use = one.use,
          .geometry = sweep.subject().grid(),
          .type = sweep.subject().type(),
          .labels = sweep.labels(),
          .counted = sweep.counted(),
          .counts_objects = sweep.counts_objects()};
}

std::size_t CaseTable::count(Use use) const {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [use](const CaseRows& one) { return one.use == use; }));
}

ScoreKind CaseTable::ranked_by() const {
  if (asked) return *asked;
  const bool has_objects = std::ranges::any_of(
      cases, [](const CaseRows& one) { return one.use == Use::Tune && number_objects(one.rows); });
  const bool all_count = std::ranges::all_of(cases, &CaseRows::counts_objects);
  return has_objects && all_count ? ScoreKind::F1 : ScoreKind::Dice;
}

CaseFindings findings_of(const CaseTable& table) {
  const ScoreKind kind = table.ranked_by();
  CaseFindings findings;
  SweepScores means;
  for (std::size_t run = 0; run < table.grid.size(); ++run) {
    findings.figures.push_back(figures_of(scores_at(table, Use::Tune, run, kind)));
    const auto& figures = findings.figures.back();
    means.push_back(figures ? std::optional(figures->mean) : std::nullopt);
  }
  findings.found = findings_of(table.grid, std::move(means), table.tolerance);
  return findings;
}

std::optional<CaseFigures> held_out(const CaseTable& table) {
  const std::optional<std::size_t> run = tested_run(table);
  if (!run) return {};
  return figures_of(scores_at(table, Use::Test, *run, table.ranked_by()));
}

std::string to_csv(const CaseTable& table) {
  const RowLayout layout = layout_of(table);
  const CaseFindings findings = findings_of(table);
  std::vector<std::string> columns = columns_of(layout);
  columns.insert(columns.begin(), {"case", "use"});
  const std::string ranked = id_of(layout.ranked_by);
  columns.insert(columns.end(), {ranked + "_min", ranked + "_spread"});
  std::string text = csv_line(columns) + lines_of_cases(table, layout, Use::Tune);
  for (std::size_t run = 0; run < table.grid.size(); ++run) {
    if (!findings.figures[run]) continue;
    const SweepRow row = mean_row(table, Use::Tune, run);
    text += line_of("", Use::Tune, fields_of(layout, row, findings.found), findings.figures[run]);
  }
  text += lines_of_cases(table, layout, Use::Test);
  if (const auto figures = held_out(table)) {
    const std::size_t run = tested_run(table).value();
    const SweepRow row = mean_row(table, Use::Test, run);
    const SweepFindings none{.scores = SweepScores(table.grid.size()), .plateau = {}};
    text += line_of("", Use::Test, fields_of(layout, row, none), figures);
  }
  return text;
}

ordered_json to_json(const CaseTable& table) {
  const RowLayout layout = layout_of(table);
  const CaseFindings findings = findings_of(table);
  ordered_json json{{table.name.kind, table.name.name}};
  for (const CaseRows& one : table.cases) {
    if (first_that_ran(one.rows) == nullptr) continue;
    json.update(how_json(one.rows));
    break;
  }
  json["set"] = values_json(table.set);
  json["varied"] = axes_json(table.grid);
  json["runs"] = table.grid.size();
  json["cases"] = ordered_json::array();
  for (const CaseRows& one : table.cases)
    json["cases"].push_back(case_json(one));
  json["rows"] = rows_json(table, layout, Use::Tune);
  json["combinations"] = combinations_json(table, layout, findings);
  json.update(findings_json(layout, findings.found, table.tolerance));
  json["test"] = nullptr;
  if (const auto run = tested_run(table)) {
    json["test"] = {{"run", *run + 1},
                    {"varied", values_json(table.grid.values_of(*run))},
                    {"rows", rows_json(table, layout, Use::Test)},
                    {id_of(layout.ranked_by), figures_json(held_out(table))}};
  }
  return json;
}

double expected_ms_of_cases(double ms_left, std::size_t runs_left, double voxels, double later) {
  if (runs_left == 0 || voxels <= 0.0) return ms_left;
  return ms_left * (1.0 + later / (static_cast<double>(runs_left) * voxels));
}

}  // namespace seedwave
