// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_text.h"

#include "app/cli/report_text.h"
#include "core/base/number_text.h"
#include "core/ops/sweep/sweep_report.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace seedwave::cli {
namespace {

using Cells = std::vector<std::string>;

/// A line each, columns as wide as their widest cell, numbers to the right. What a line has beyond
/// the first one's columns stands at its end as it is.
std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < std::min(line.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const Cells& line : lines) {
    std::string shown;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t width = i < widths.size() ? widths[i] : 0;
      shown += (i == 0 ? "" : "  ") + std::string(width - std::min(width, line[i].size()), ' ') +
               line[i];
    }
    text += shown + "\n";
  }
  return text;
}

std::string score_text(const std::optional<double>& score) {
  return score ? fixed_text(*score, 4) : "-";
}

struct Found {
  SweepScores scores;
  std::optional<Plateau> plateau;

  [[nodiscard]] std::string mark(std::size_t run) const {
    if (!plateau) return "";
    std::string mark = run == plateau->best ? "*" : "";
    if (run == plateau->centre) return mark + "o";
    const bool on = std::binary_search(plateau->runs.begin(), plateau->runs.end(), run);
    return on && mark.empty() ? "+" : mark;
  }
};

Found found_in(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  Found found{.scores = scores_of(sweep.grid(), rows), .plateau = {}};
  found.plateau = find_plateau(sweep.grid(), found.scores, tolerance);
  return found;
}

/// Labels that a table has columns of: more are unreadable.
std::vector<std::uint16_t> shown_labels(const Sweep& sweep) {
  constexpr std::size_t kMost = 8;
  std::vector<std::uint16_t> labels = sweep.is_scored() ? sweep.labels() : sweep.counted();
  if (labels.size() > kMost || (sweep.is_scored() && labels.size() == 1)) labels.clear();
  return labels;
}

bool gives_labels(const Sweep& sweep) {
  return sweep.operation().main_output().kind == OutputKind::Labels;
}

Cells titles_of(const Sweep& sweep) {
  Cells titles{"", "run"};
  for (const SweepAxis& axis : sweep.grid().axes())
    titles.push_back(axis.parameter);
  if (sweep.is_scored()) titles.insert(titles.end(), {"Dice", "neighbours"});
  for (const std::uint16_t label : shown_labels(sweep))
    titles.push_back("label " + std::to_string(label));
  if (gives_labels(sweep)) titles.emplace_back("voxels");
  titles.emplace_back("ms");
  if (!gives_labels(sweep)) titles.emplace_back("digest");
  return titles;
}

Cells cells_of(const Sweep& sweep, const SweepRow& row, const Found& found) {
  Cells cells{found.mark(row.run), std::to_string(row.run + 1)};
  for (const SweepAxis& axis : sweep.grid().axes())
    cells.push_back(text_of(sweep.grid().values_of(row.run).at(axis.parameter)));
  if (!row.failure.empty()) {
    cells.push_back(row.failure);
    return cells;
  }
  if (sweep.is_scored()) {
    cells.push_back(score_text(found.scores[row.run]));
    cells.push_back(score_text(neighbour_mean(sweep.grid(), found.scores, row.run)));
  }
  for (const std::uint16_t label : shown_labels(sweep)) {
    cells.push_back(sweep.is_scored() ? score_text(row.by_label.at(label).dice)
                                      : std::to_string(row.voxels.at(label)));
  }
  if (gives_labels(sweep)) cells.push_back(std::to_string(row.labelled));
  cells.push_back(fixed_text(row.ms, 1));
  if (!gives_labels(sweep)) cells.push_back(row.digest);
  return cells;
}

std::string values_text(const Sweep& sweep, std::size_t run) {
  const Values values = sweep.grid().values_of(run);
  std::string text;
  for (const SweepAxis& axis : sweep.grid().axes()) {
    text += (text.empty() ? "" : ", ") + axis.parameter + " " + text_of(values.at(axis.parameter));
  }
  return text;
}

std::string place_text(const Sweep& sweep, const Found& found, std::size_t run) {
  return "run " + std::to_string(run + 1) + ", " + values_text(sweep, run) + ": Dice " +
         score_text(found.scores[run]) + ", with its neighbours " +
         score_text(neighbour_mean(sweep.grid(), found.scores, run)) + "\n";
}

std::string joined(const std::vector<std::string>& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ids.size() ? " and " : ", ") + ids[i];
  return text;
}

}  // namespace

std::string sweep_table(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  const Found found = found_in(sweep, rows, tolerance);
  std::vector<Cells> lines{titles_of(sweep)};
  for (const SweepRow& row : rows)
    lines.push_back(cells_of(sweep, row, found));
  // A failure is as long as it is: it must not make its column wide.
  const std::size_t values_end = 2 + sweep.grid().axes().size();
  std::vector<std::string> failures(lines.size());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!rows[i - 1].failure.empty()) failures[i] = std::exchange(lines[i][values_end], "-");
  }
  std::string text = aligned(lines);
  std::string shown;
  std::size_t begin = 0;
  for (const std::string& failure : failures) {
    const std::size_t end = text.find('\n', begin);
    shown += text.substr(begin, end - begin) + (failure.empty() ? "" : "  " + failure) + "\n";
    begin = end + 1;
  }
  return shown;
}

std::string sweep_summary(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance,
                          const std::string& again) {
  const Found found = found_in(sweep, rows, tolerance);
  double total = 0.0;
  for (const SweepRow& row : rows)
    total += row.ms;
  const auto ran = std::find_if(rows.begin(), rows.end(),
                                [](const SweepRow& row) { return row.failure.empty(); });
  std::string text = sweep.operation().id;
  if (ran != rows.end()) {
    text += " (" + ran->algorithm + ") on " +
            (ran->backend == Backend::Cuda ? ran->device : std::string("CPU"));
    if (!ran->why.empty()) text += ", " + ran->why;
  }
  text += ": " + std::to_string(rows.size()) + (rows.size() == 1 ? " run" : " runs") + ", " +
          in_time(total) + "\n";
  if (!found.plateau) return text;
  const Plateau& plateau = *found.plateau;
  text += "  Dice of " + scored_text(sweep) + "\n";
  text += "  * best: " + place_text(sweep, found, plateau.best);
  const std::size_t count = plateau.runs.size();
  text += "  + plateau: " + std::to_string(count) + (count == 1 ? " run" : " runs") + " within " +
          number_text(tolerance) + " of it\n";
  text += "  o centre of the plateau: " + place_text(sweep, found, plateau.centre);
  const std::vector<std::string> ends = could_go_on(sweep, plateau);
  if (!ends.empty()) {
    text += "  the plateau reaches the end of " + joined(ends) + ": what is beyond was not tried\n";
  }
  if (!again.empty()) text += "  the centre again: " + again + "\n";
  return text;
}

}  // namespace seedwave::cli
