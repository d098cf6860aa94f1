// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/sweep_grid.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {

/// Default for the largest difference between the best score and another one on its plateau.
/// Outlines drawn by two people differ by more than 0.01 in Dice.
inline constexpr double kPlateauTolerance = 0.01;

/// Scores of a sweep's runs by number; nothing for a run that failed or has not run.
using SweepScores = std::vector<std::optional<double>>;

/// The region where a sweep's scores are high, and stay high if a value changes a little.
///
/// The best run of a sweep is chosen with the reference, and partly by chance. A score that its
/// neighbours share is to be expected on another image too. Use the centre, therefore, not the best
/// run.
struct Plateau {
  /// The run with the highest score; the first of equal ones.
  std::size_t best = 0;
  /// `best`, and all runs connected to it through neighbours (SweepGrid) whose scores are lower by
  /// at most the tolerance. Sorted by number.
  std::vector<std::size_t> runs;
  /// The run of the plateau with the highest neighbour_mean(). Ties (within 1e-12) go to the run
  /// nearest to the mean place of the plateau's runs, in steps, then to the first.
  std::size_t centre = 0;
  /// Parameters whose first or last value the plateau reaches; values beyond were not tried.
  std::vector<std::string> at_ends;
  friend bool operator==(const Plateau&, const Plateau&) = default;
};

/// Returns the mean of a run's score and the scores of its neighbours; nothing if the run has no
/// score.
[[nodiscard]] std::optional<double> neighbour_mean(const SweepGrid& grid, const SweepScores& scores,
                                                   std::size_t run);

/// Returns nothing if no run has a score. A parameter with words or with a single value has no end.
/// scores: one for each run of the grid.
[[nodiscard]] std::optional<Plateau> find_plateau(const SweepGrid& grid, const SweepScores& scores,
                                                  double tolerance = kPlateauTolerance);

/// Returns the parameters at whose end the plateau lies although their range extends beyond the
/// values tried.
[[nodiscard]] std::vector<std::string> could_go_on(const SweepGrid& grid, const Plateau& plateau);
/// Returns the first and the last value for another sweep of one of those parameters: as far again
/// beyond each end that the plateau reaches, within the parameter's range.
[[nodiscard]] std::pair<double, double> extended_range(const SweepGrid& grid,
                                                       const Plateau& plateau,
                                                       const std::string& parameter);

/// The combined results of a sweep's rows.
struct SweepFindings {
  SweepScores scores;
  std::optional<Plateau> plateau;

  [[nodiscard]] bool on_plateau(std::size_t run) const;
  /// Returns whether the score hardly depends on the values: several runs have one, and all of them
  /// lie on the plateau.
  [[nodiscard]] bool is_flat() const;
};

[[nodiscard]] SweepFindings findings_of(const SweepGrid& grid, SweepScores scores,
                                        double tolerance = kPlateauTolerance);

}  // namespace seedwave
