// SPDX-License-Identifier: Apache-2.0

#include "app/cli/report_text.h"
#include "app/cli/sweep_parts.h"
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

Cells titles_of(const Sweep& sweep) {
  Cells titles{"", "run"};
  for (const SweepAxis& axis : sweep.grid().axes())
    titles.push_back(axis.parameter);
  if (sweep.is_scored()) titles.insert(titles.end(), {"Dice", "neighbours"});
  for (const Label label : shown_labels(sweep))
    titles.push_back("label " + std::to_string(label));
  if (sweep.gives_labels()) titles.emplace_back("voxels");
  titles.emplace_back("ms");
  if (!sweep.gives_labels()) titles.emplace_back("digest");
  return titles;
}

Cells cells_of(const Sweep& sweep, const SweepRow& row, const SweepFindings& found) {
  Cells cells{plateau_mark(found, row.run), std::to_string(row.run + 1)};
  const Values values = sweep.grid().values_of(row.run);
  for (const SweepAxis& axis : sweep.grid().axes())
    cells.push_back(text_of(values.at(axis.parameter)));
  if (!row.failure.empty()) {
    cells.emplace_back("-");
    return cells;
  }
  if (sweep.is_scored()) {
    cells.push_back(score_text(found.scores[row.run]));
    cells.push_back(score_text(neighbour_mean(sweep.grid(), found.scores, row.run)));
  }
  for (const Label label : shown_labels(sweep)) {
    cells.push_back(sweep.is_scored() ? score_text(row.by_label.at(label).dice)
                                      : std::to_string(row.voxels.at(label)));
  }
  if (sweep.gives_labels()) cells.push_back(std::to_string(row.labelled));
  cells.push_back(fixed_text(row.facts.total_ms, 1));
  if (!sweep.gives_labels()) cells.push_back(row.facts.digest);
  return cells;
}

std::string place_text(const Sweep& sweep, const SweepFindings& found, std::size_t run) {
  return "run " + std::to_string(run + 1) + ", " + values_text(sweep.grid(), run) + ": Dice " +
         score_text(found.scores[run]) + ", mean with its neighbours " +
         score_text(neighbour_mean(sweep.grid(), found.scores, run)) + "\n";
}

SweepFindings found_in(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  return findings_of(sweep.grid(), scores_of(sweep.grid(), rows), tolerance);
}

}  // namespace

std::string sweep_table(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const SweepFindings found = found_in(sweep, rows, tolerance);
  std::vector<Cells> lines{titles_of(sweep)};
  std::vector<std::string> failures{""};
  for (const SweepRow& row : rows) {
    lines.push_back(cells_of(sweep, row, found));
    failures.push_back(row.failure);
  }
  return aligned(lines, failures);
}

std::string sweep_summary(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance,
                          const std::string& again) {
  const SweepFindings found = found_in(sweep, rows, tolerance);
  double total = 0.0;
  for (const SweepRow& row : rows)
    total += row.facts.total_ms;
  std::string text =
      ran_text(sweep.operation(), first_that_ran(rows), counted(rows.size(), "run"), total);
  if (!found.plateau) return text;
  const Plateau& plateau = *found.plateau;
  text += "  Dice of " + scored_text(sweep.labels(), sweep.scored()) + "\n";
  text += "  * best: " + place_text(sweep, found, plateau.best);
  text += plateau_line(plateau, tolerance);
  text += "  o centre of the plateau: " + place_text(sweep, found, plateau.centre);
  text += ends_line(sweep.operation(), sweep.grid(), plateau);
  if (!again.empty()) text += "  repeat the centre: " + again + "\n";
  return text;
}

}  // namespace seedwave::cli
