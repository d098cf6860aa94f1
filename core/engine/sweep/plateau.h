// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep_grid.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace seedwave {

/// By how much a run's score may stay behind the best one's and still be on its plateau, unless the
/// user says otherwise: a hundredth of Dice is less than two people's outlines differ by.
inline constexpr double kPlateauTolerance = 0.01;

/// Scores of a sweep's runs by number; nothing where a run failed or has not been.
using SweepScores = std::vector<std::optional<double>>;

/// Where a sweep's scores are high, and where they stay high when a value is a little off.
///
/// The peak of a sweep is chosen with the reference, and partly by chance; what holds for its
/// neighbours as well is what another image will see. So the centre is what to take, not the best.
struct Plateau {
  /// The run with the highest score; of equal ones the first.
  std::size_t best = 0;
  /// `best`, and all that is reached from it from neighbour to neighbour (SweepGrid) without
  /// falling below its score by more than the tolerance. By number.
  std::vector<std::size_t> runs;
  /// The run of the plateau with the highest neighbour_mean(); of those that are equal (to 1e-12)
  /// the one nearest to the mean place of the plateau's runs, in steps; of those the first.
  std::size_t centre = 0;
  /// Parameters at whose end, first or last value, the plateau lies: what is beyond was not tried.
  std::vector<std::string> at_ends;
  friend bool operator==(const Plateau&, const Plateau&) = default;
};

/// The mean of a run's score and those of its neighbours that have one; nothing where it has none.
[[nodiscard]] std::optional<double> neighbour_mean(const SweepGrid& grid, const SweepScores& scores,
                                                   std::size_t run);

/// Nothing where no run has a score. A parameter of words, or of one value, has no end.
/// scores: as many as the grid has runs.
[[nodiscard]] std::optional<Plateau> find_plateau(const SweepGrid& grid, const SweepScores& scores,
                                                  double tolerance = kPlateauTolerance);

/// What a sweep's rows give together.
struct SweepFindings {
  SweepScores scores;
  std::optional<Plateau> plateau;

  [[nodiscard]] bool on_plateau(std::size_t run) const;
};

[[nodiscard]] SweepFindings findings_of(const SweepGrid& grid, SweepScores scores,
                                        double tolerance = kPlateauTolerance);

}  // namespace seedwave
