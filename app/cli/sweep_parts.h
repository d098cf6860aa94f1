// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"

#include <optional>
#include <string>
#include <vector>

/// What the tables and summaries of a sweep for people are made of, of one image or of several.
namespace seedwave::cli {

using Cells = std::vector<std::string>;

/// A line each, columns as wide as their widest cell, numbers to the right. `tails` stand at the
/// end of their lines as they are, and make no column wide.
[[nodiscard]] std::string aligned(const std::vector<Cells>& lines,
                                  const std::vector<std::string>& tails);

/// Four digits; "-" where there is none.
[[nodiscard]] std::string score_text(const std::optional<double>& score);
/// "*" the best run, "+" the plateau, "o" its centre; "" where a run is none of these.
[[nodiscard]] std::string plateau_mark(const SweepFindings& found, std::size_t run);
/// "sigma_o 20, connectivity 6".
[[nodiscard]] std::string values_text(const SweepGrid& grid, std::size_t run);
/// "irfc (tiles) on CPU, auto: built without CUDA: 12 runs, 3 s".
[[nodiscard]] std::string ran_text(const Operation& operation, const SweepRow* ran,
                                   const std::string& what, double ms);
/// How many runs the plateau has, as a line.
[[nodiscard]] std::string plateau_line(const Plateau& plateau, double tolerance);
/// A line of the parameters beyond whose tried values the plateau may go on; "" where there are
/// none.
[[nodiscard]] std::string ends_line(const Operation& operation, const SweepGrid& grid,
                                    const Plateau& plateau);
/// "1 run", "2 runs".
[[nodiscard]] std::string counted(std::size_t count, const std::string& what);

}  // namespace seedwave::cli
