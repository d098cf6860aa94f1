// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/case_table.h"
#include "core/engine/sweep/sweep.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Parts of the tables and summaries of a sweep, of one image or of several.
namespace seedwave::cli {

using Cells = std::vector<std::string>;

/// Formats each line with columns as wide as their widest cell and numbers aligned right. `tails`
/// are appended to their lines as they are, and widen no column.
[[nodiscard]] std::string aligned(const std::vector<Cells>& lines,
                                  const std::vector<std::string>& tails);

/// Formats a score with four digits; "-" if there is none.
[[nodiscard]] std::string score_text(const std::optional<double>& score);
/// Returns "*" for the best run, "+" for the plateau and "o" for its centre, else "".
[[nodiscard]] std::string plateau_mark(const SweepFindings& found, std::size_t run);
/// Returns "sigma_o 20, connectivity 6".
[[nodiscard]] std::string values_text(const SweepGrid& grid, std::size_t run);
/// Returns "irfc (tiles) on CPU, auto: built without CUDA: 12 runs, 3 s".
[[nodiscard]] std::string ran_text(const std::string& name, const SweepRow* ran,
                                   const std::string& what, double ms);
/// Returns a line with the number of runs on the plateau.
[[nodiscard]] std::string plateau_line(const Plateau& plateau, double tolerance);
/// Returns lines of advice: that the score is flat, and the parameters beyond whose tried values
/// the plateau may continue; "" if there is none.
[[nodiscard]] std::string advice_lines(const SweepGrid& grid, const SweepFindings& found,
                                       double tolerance);
/// Returns "1 run", "2 runs".
[[nodiscard]] std::string counted(std::size_t count, const std::string& what);

/// Formats the combinations of a sweep over cases as a table: the varied values, then mean, minimum
/// and standard deviation of the tuning cases' Dice, and the mean with the neighbours. Each case
/// has a column if there are few. Runs are marked as in a sweep of one image.
[[nodiscard]] std::string case_table_text(const CaseTable& table);

/// Formats a summary, one line each: what ran where, the best combination, the plateau, and the
/// results of the held-out cases. `again` is the command that repeats the centre on the case
/// `again_on`.
[[nodiscard]] std::string case_summary(const CaseTable& table, const std::string& again,
                                       const std::string& again_on);

/// Formats the rows of a sweep: the varied values, Dice, its mean with the neighbours, labels and
/// time. Marks the best run (*) and the plateau (+, its centre o).
[[nodiscard]] std::string sweep_table(const Sweep& sweep, std::span<const SweepRow> rows,
                                      double tolerance);

/// Formats a summary, one line each: what ran where, the best run, and the plateau. `again` is the
/// command that repeats the centre of the plateau.
[[nodiscard]] std::string sweep_summary(const Sweep& sweep, std::span<const SweepRow> rows,
                                        double tolerance, const std::string& again);

}  // namespace seedwave::cli
