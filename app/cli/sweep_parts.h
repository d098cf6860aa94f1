// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"

#include <optional>
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
[[nodiscard]] std::string ran_text(const Operation& operation, const SweepRow* ran,
                                   const std::string& what, double ms);
/// Returns a line with the number of runs on the plateau.
[[nodiscard]] std::string plateau_line(const Plateau& plateau, double tolerance);
/// Returns a line of the parameters beyond whose tried values the plateau may continue, or "" if
/// there are none.
[[nodiscard]] std::string ends_line(const Operation& operation, const SweepGrid& grid,
                                    const Plateau& plateau);
/// Returns "1 run", "2 runs".
[[nodiscard]] std::string counted(std::size_t count, const std::string& what);

}  // namespace seedwave::cli
