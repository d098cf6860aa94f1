// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_parts.h"

#include "core/base/number_text.h"
#include "core/engine/sweep/row_report.h"

#include <algorithm>

namespace seedwave::cli {
namespace {

std::string joined(const std::vector<std::string>& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ids.size() ? " and " : ", ") + ids[i];
  return text;
}

}  // namespace

std::string aligned(const std::vector<Cells>& lines, const std::vector<std::string>& tails) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (std::size_t number = 0; number < lines.size(); ++number) {
    const Cells& line = lines[number];
    for (std::size_t i = 0; i < line.size(); ++i)
      text += (i == 0 ? "" : "  ") + std::string(widths[i] - line[i].size(), ' ') + line[i];
    text += (tails[number].empty() ? "" : "  " + tails[number]) + "\n";
  }
  return text;
}

std::string score_text(const std::optional<double>& score) {
  return score ? fixed_text(*score, 4) : "-";
}

std::string plateau_mark(const SweepFindings& found, std::size_t run) {
  if (!found.plateau) return "";
  std::string mark = run == found.plateau->best ? "*" : "";
  if (run == found.plateau->centre) return mark + "o";
  return found.on_plateau(run) && mark.empty() ? "+" : mark;
}

std::string values_text(const SweepGrid& grid, std::size_t run) {
  const Values values = grid.values_of(run);
  std::string text;
  for (const SweepAxis& axis : grid.axes()) {
    text += (text.empty() ? "" : ", ") + axis.parameter + " " + text_of(values.at(axis.parameter));
  }
  return text;
}

std::string ran_text(const std::string& name, const SweepRow* ran, const std::string& what,
                     double ms) {
  std::string text = name;
  if (ran != nullptr) {
    text += " (" + ran->facts.algorithm + ") on " +
            (ran->facts.device.empty() ? std::string("CPU") : ran->facts.device);
    if (!ran->facts.why.empty()) text += ", " + ran->facts.why;
  }
  return text + ": " + what + ", " + in_time(ms) + "\n";
}

std::string plateau_line(const Plateau& plateau, double tolerance) {
  return "  + plateau: " + counted(plateau.runs.size(), "run") + " within " +
         number_text(tolerance) + " of the best\n";
}

std::string advice_lines(const SweepGrid& grid, const SweepFindings& found, double tolerance) {
  std::string text;
  if (found.is_flat()) {
    text += "  flat: all runs are within " + number_text(tolerance) +
            " of the best, so this score does not tell the values apart\n";
  }
  const std::vector<std::string> ends = could_go_on(grid, found.plateau.value());
  if (!ends.empty())
    text += "  the plateau reaches the end of " + joined(ends) + ": values beyond were not tried\n";
  return text;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace seedwave::cli
