// SPDX-License-Identifier: Apache-2.0

#include "app/cli/sweep_parts.h"
#include "core/base/number_text.h"
#include "core/engine/sweep/row_report.h"
#include "core/image/label_map.h"

#include <utility>
#include <vector>

namespace seedwave::cli {
namespace {

/// Returns the labels that get columns of their own; more columns would be unreadable.
std::vector<Label> shown_labels(const Sweep& sweep) {
  constexpr std::size_t kMost = 8;
  std::vector<Label> labels = sweep.is_scored() ? sweep.labels() : sweep.counted();
  if (labels.size() > kMost || (sweep.is_scored() && labels.size() == 1)) labels.clear();
  return labels;
}

/// Returns the scores that have columns: the one that ranks the runs, and Dice.
std::vector<ScoreKind> shown_scores(ScoreKind ranked_by) {
  if (ranked_by == ScoreKind::Dice) return {ranked_by};
  return {ranked_by, ScoreKind::Dice};
}

Cells titles_of(const Sweep& sweep, ScoreKind ranked_by) {
  Cells titles{"", "run"};
  for (const SweepAxis& axis : sweep.grid().axes())
    titles.push_back(axis.parameter);
  if (sweep.is_scored()) {
    for (const ScoreKind kind : shown_scores(ranked_by))
      titles.push_back(title_of(kind));
    titles.emplace_back("neighbours");
  }
  if (sweep.counts_objects()) titles.emplace_back("objects");
  for (const Label label : shown_labels(sweep))
    titles.push_back("label " + std::to_string(label));
  if (sweep.subject().gives_labels()) titles.emplace_back("voxels");
  titles.emplace_back("ms");
  if (!sweep.subject().gives_labels()) titles.emplace_back("digest");
  return titles;
}

Cells cells_of(const Sweep& sweep, const SweepRow& row, ScoreKind ranked_by,
               const SweepFindings& found) {
  Cells cells{plateau_mark(found, row.run), std::to_string(row.run + 1)};
  const Values values = sweep.grid().values_of(row.run);
  for (const SweepAxis& axis : sweep.grid().axes())
    cells.push_back(text_of(values.at(axis.parameter)));
  if (!row.failure.empty()) {
    cells.emplace_back("-");
    return cells;
  }
  if (sweep.is_scored()) {
    for (const ScoreKind kind : shown_scores(ranked_by))
      cells.push_back(score_text(row.score(kind)));
    cells.push_back(score_text(neighbour_mean(sweep.grid(), found.scores, row.run)));
  }
  if (sweep.counts_objects()) cells.push_back(std::to_string(row.label_count));
  for (const Label label : shown_labels(sweep)) {
    cells.push_back(sweep.is_scored() ? score_text(row.by_label.at(label).dice)
                                      : std::to_string(row.voxels.at(label)));
  }
  if (sweep.subject().gives_labels()) cells.push_back(std::to_string(row.labelled));
  cells.push_back(fixed_text(row.facts.total_ms, 1));
  if (!sweep.subject().gives_labels()) cells.push_back(row.facts.digest);
  return cells;
}

std::string place_text(const Sweep& sweep, const SweepFindings& found, ScoreKind ranked_by,
                       std::size_t run) {
  return "run " + std::to_string(run + 1) + ", " + values_text(sweep.grid(), run) + ": " +
         title_of(ranked_by) + " " + score_text(found.scores[run]) + ", mean with its neighbours " +
         score_text(neighbour_mean(sweep.grid(), found.scores, run)) + "\n";
}

/// Returns "Dice of label 1", "F1 of objects".
std::string ranked_text(const Sweep& sweep, ScoreKind ranked_by) {
  if (is_of_objects(ranked_by)) return title_of(ranked_by) + ", which match at an IoU above 0.5";
  return title_of(ranked_by) + " of " + scored_text(sweep.labels(), sweep.scored());
}

}  // namespace

std::string sweep_table(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const SweepFindings found = findings_of(sweep, rows, tolerance);
  const ScoreKind ranked_by = sweep.ranked_by(rows);
  std::vector<Cells> lines{titles_of(sweep, ranked_by)};
  std::vector<std::string> failures{""};
  for (const SweepRow& row : rows) {
    lines.push_back(cells_of(sweep, row, ranked_by, found));
    failures.push_back(row.failure);
  }
  return aligned(lines, failures);
}

std::string sweep_summary(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance,
                          const std::string& again) {
  const SweepFindings found = findings_of(sweep, rows, tolerance);
  const ScoreKind ranked_by = sweep.ranked_by(rows);
  double total = 0.0;
  for (const SweepRow& row : rows)
    total += row.facts.total_ms;
  std::string text = ran_text(sweep.subject().name().name, first_that_ran(rows),
                              counted(rows.size(), "run"), total);
  if (!found.plateau) return text;
  const Plateau& plateau = *found.plateau;
  text += "  " + ranked_text(sweep, ranked_by) + "\n";
  text += "  * best: " + place_text(sweep, found, ranked_by, plateau.best);
  text += plateau_line(plateau, tolerance);
  text += "  o centre of the plateau: " + place_text(sweep, found, ranked_by, plateau.centre);
  text += advice_lines(sweep.grid(), found, tolerance);
  if (!again.empty()) text += "  repeat the centre: " + again + "\n";
  return text;
}

}  // namespace seedwave::cli
