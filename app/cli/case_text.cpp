// SPDX-License-Identifier: Apache-2.0

#include "app/cli/sweep_parts.h"

#include <algorithm>
#include <vector>

namespace seedwave::cli {
namespace {

using Use = ListedCase::Use;

/// Returns the cases that get columns of their own; more columns would be unreadable.
std::vector<const CaseRows*> shown_cases(const CaseTable& table) {
  constexpr std::size_t kMost = 8;
  std::vector<const CaseRows*> cases;
  for (const CaseRows& one : table.cases) {
    if (one.use == Use::Tune) cases.push_back(&one);
  }
  if (cases.size() > kMost) cases.clear();
  return cases;
}

const SweepRow* row_at(const CaseRows& one, std::size_t run) {
  const auto row = std::find_if(one.rows.begin(), one.rows.end(),
                                [run](const SweepRow& r) { return r.run == run; });
  return row == one.rows.end() ? nullptr : &*row;
}

std::optional<double> score_of(const SweepRow* row, ScoreKind kind) {
  return row == nullptr ? std::nullopt : row->score(kind);
}

/// Returns why a combination has no mean: the failure of the first case.
std::string failure_at(const CaseTable& table, std::size_t run) {
  for (const CaseRows& one : table.cases) {
    if (one.use != Use::Tune) continue;
    const SweepRow* row = row_at(one, run);
    if (row != nullptr && !row->failure.empty()) return one.name + ": " + row->failure;
  }
  return "";
}

std::string figures_text(const CaseFigures& figures) {
  std::string text = score_text(figures.mean) + ", minimum " + score_text(figures.min);
  if (figures.spread) text += ", standard deviation " + score_text(*figures.spread);
  return text;
}

std::string place_text(const CaseTable& table, const CaseFindings& findings, std::size_t run) {
  return "run " + std::to_string(run + 1) + ", " + values_text(table.grid, run) + ": mean " +
         title_of(table.ranked_by()) + " " + figures_text(findings.figures[run].value()) +
         ", mean with its neighbours " +
         score_text(neighbour_mean(table.grid, findings.found.scores, run)) + "\n";
}

/// Returns "label 1" if all cases are scored by the same labels.
std::string scored_by(const CaseTable& table) {
  const std::string first = scored_text(table.cases.front().labels);
  const bool same = std::all_of(table.cases.begin(), table.cases.end(), [&](const CaseRows& one) {
    return scored_text(one.labels) == first;
  });
  return same ? first : "each case's labels (mean)";
}

/// Returns "Dice of label 1", "F1 of objects".
std::string ranked_text(const CaseTable& table) {
  const ScoreKind kind = table.ranked_by();
  return title_of(kind) + (is_of_objects(kind) ? "" : " of " + scored_by(table));
}

std::string held_out_text(const CaseTable& table) {
  const ScoreKind kind = table.ranked_by();
  std::string text;
  for (const CaseRows& one : table.cases) {
    if (one.use != Use::Test || one.rows.empty()) continue;
    const SweepRow& row = one.rows.front();
    text +=
        "    " + one.name + ": " +
        (row.failure.empty() ? title_of(kind) + " " + score_text(row.score(kind)) : row.failure) +
        "\n";
  }
  if (text.empty()) return "";
  if (const auto figures = held_out(table)) {
    text += "    together: mean " + title_of(kind) + " " + figures_text(*figures) + "\n";
  }
  return "  held out, with the values of the centre:\n" + text;
}

}  // namespace

std::string case_table_text(const CaseTable& table) {
  const CaseFindings findings = findings_of(table);
  const ScoreKind kind = table.ranked_by();
  const std::vector<const CaseRows*> cases = shown_cases(table);
  Cells titles{"", "run"};
  for (const SweepAxis& axis : table.grid.axes())
    titles.push_back(axis.parameter);
  titles.insert(titles.end(), {"mean", "min", "std. dev.", "neighbours"});
  for (const CaseRows* one : cases)
    titles.push_back(one->name);
  std::vector<Cells> lines{titles};
  std::vector<std::string> failures{""};
  for (std::size_t run = 0; run < table.grid.size(); ++run) {
    Cells cells{plateau_mark(findings.found, run), std::to_string(run + 1)};
    const Values values = table.grid.values_of(run);
    for (const SweepAxis& axis : table.grid.axes())
      cells.push_back(text_of(values.at(axis.parameter)));
    const std::optional<CaseFigures>& figures = findings.figures[run];
    cells.push_back(figures ? score_text(figures->mean) : "-");
    cells.push_back(figures ? score_text(figures->min) : "-");
    cells.push_back(score_text(figures ? figures->spread : std::nullopt));
    cells.push_back(score_text(neighbour_mean(table.grid, findings.found.scores, run)));
    for (const CaseRows* one : cases)
      cells.push_back(score_text(score_of(row_at(*one, run), kind)));
    lines.push_back(std::move(cells));
    failures.push_back(failure_at(table, run));
  }
  return aligned(lines, failures);
}

std::string case_summary(const CaseTable& table, const std::string& again,
                         const std::string& again_on) {
  const CaseFindings findings = findings_of(table);
  double ms = 0.0;
  std::size_t runs = 0;
  const SweepRow* ran = nullptr;
  for (const CaseRows& one : table.cases) {
    for (const SweepRow& row : one.rows)
      ms += row.facts.total_ms;
    runs += one.rows.size();
    if (ran == nullptr) ran = first_that_ran(one.rows);
  }
  std::string text =
      ran_text(table.name.name, ran,
               counted(runs, "run") + " on " + counted(table.cases.size(), "case"), ms);
  if (!findings.found.plateau) {
    return text + "  no combination has a result on every tuning case: there is no mean\n";
  }
  const Plateau& plateau = *findings.found.plateau;
  text +=
      "  " + ranked_text(table) + ", over " + counted(table.count(Use::Tune), "tuning case") + "\n";
  text += "  * best: " + place_text(table, findings, plateau.best);
  text += plateau_line(plateau, table.tolerance);
  text += "  o centre of the plateau: " + place_text(table, findings, plateau.centre);
  text += advice_lines(table.grid, findings.found, table.tolerance);
  text += held_out_text(table);
  return again.empty() ? text : text + "  repeat the centre on " + again_on + ": " + again + "\n";
}

}  // namespace seedwave::cli
