// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"

#include <span>
#include <string>

namespace seedwave::cli {

/// The rows of a sweep for people: the varied values, Dice, its mean with the neighbours, labels,
/// time; marked are the best run (*) and the plateau (+, its centre o).
[[nodiscard]] std::string sweep_table(const Sweep& sweep, std::span<const SweepRow> rows,
                                      double tolerance);

/// What ran where, and the best run and the plateau in a line each; `again` is the command that
/// repeats the centre of the plateau.
[[nodiscard]] std::string sweep_summary(const Sweep& sweep, std::span<const SweepRow> rows,
                                        double tolerance, const std::string& again);

}  // namespace seedwave::cli
