// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// A sweep's rows as a CSV table with a line of column names: run (from 1) and the varied
/// parameters. If scored: dice, jaccard, neighbours (the mean ranking score of the run and its
/// neighbours) and plateau (1 or 0); if objects are counted: their scores (ScoreKind), missed,
/// spurious, split, merged; dice_L and jaccard_L of each label. With label output: labels, voxels,
/// and voxels_L of each label that has seeds or is scored. Last: ms, digest, failure. Missing
/// values are empty.
///
/// rows: the rows so far, complete or not.
[[nodiscard]] std::string to_csv(const Sweep& sweep, std::span<const SweepRow> rows,
                                 double tolerance = kPlateauTolerance);

/// The same as an object: operation or recipe, how it ran, the fixed values, the varied ones, rows,
/// and, if scored, findings_json(). docs/command_line.md shows one.
[[nodiscard]] nlohmann::ordered_json to_json(const Sweep& sweep, std::span<const SweepRow> rows,
                                             double tolerance = kPlateauTolerance);

/// The warnings of all runs, each once.
[[nodiscard]] std::vector<std::string> warnings_of(std::span<const SweepRow> rows);

}  // namespace seedwave
