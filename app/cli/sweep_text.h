// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"

#include <span>
#include <string>

namespace seedwave::cli {

/// Formats the rows of a sweep: the varied values, Dice, its mean with the neighbours, labels and
/// time. Marks the best run (*) and the plateau (+, its centre o).
[[nodiscard]] std::string sweep_table(const Sweep& sweep, std::span<const SweepRow> rows,
                                      double tolerance);

/// Formats a summary, one line each: what ran where, the best run, and the plateau. `again` is the
/// command that repeats the centre of the plateau.
[[nodiscard]] std::string sweep_summary(const Sweep& sweep, std::span<const SweepRow> rows,
                                        double tolerance, const std::string& again);

}  // namespace seedwave::cli
