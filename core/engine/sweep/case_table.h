// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/case_list.h"
#include "core/engine/sweep/row_report.h"
#include "core/image/label_map.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// Maximum number of rows of a sweep over cases: kMostSweepRuns for each of ten cases.
inline constexpr std::size_t kMostCaseRows = 10 * kMostSweepRuns;

/// Statistics of a score over several cases.
struct CaseFigures {
  double mean = 0.0;
  double min = 0.0;
  /// The sample standard deviation over the cases (divisor n - 1), or nothing for a single case.
  std::optional<double> spread;
  friend bool operator==(const CaseFigures&, const CaseFigures&) = default;
};

/// Returns nothing if there is no score or one is missing: means over different cases could not be
/// compared.
[[nodiscard]] std::optional<CaseFigures> figures_of(std::span<const std::optional<double>> scores);

/// One case and the results of its runs, without images.
struct CaseRows {
  std::string name;
  ListedCase::Use use = ListedCase::Use::Tune;
  Geometry geometry;
  VoxelType type = VoxelType::U8;
  /// The labels that are scored (empty: the foreground), and those whose voxels are counted.
  std::vector<Label> labels;
  std::vector<Label> counted;
  bool counts_objects = false;
  /// Rows of the runs so far. A test case has a single run, with the chosen values.
  std::vector<SweepRow> rows{};
};

/// Returns a case without any runs. `sweep` is not referred to afterwards.
[[nodiscard]] CaseRows rows_without_runs(const ListedCase& one, const Sweep& sweep);

/// A sweep over several cases, running or finished.
struct CaseTable {
  SweepSubject::Name name;
  SweepGrid grid;
  /// Values that apply to all runs.
  Values set{};
  double tolerance = kPlateauTolerance;
  /// The score that was asked for; nothing: as Sweep::ranked_by() chooses, for the rows of all
  /// tuning cases together.
  std::optional<ScoreKind> asked{};
  /// All cases of the list, in its order.
  std::vector<CaseRows> cases{};

  [[nodiscard]] std::size_t count(ListedCase::Use use) const;
  /// Returns the score by which the combinations are ranked.
  [[nodiscard]] ScoreKind ranked_by() const;
};

/// The combined results of the tuning cases.
struct CaseFindings {
  /// Figures of the ranking score by number of the combination; nothing as long as a case has no
  /// score for it.
  std::vector<std::optional<CaseFigures>> figures;
  /// Findings for its mean. The held-out cases are run with the centre of the plateau.
  SweepFindings found;
};
[[nodiscard]] CaseFindings findings_of(const CaseTable& table);

/// The combined ranking score of the held-out cases; nothing until all have run.
[[nodiscard]] std::optional<CaseFigures> held_out(const CaseTable& table);

/// The rows as a table in CSV: `case` and `use`, the columns of a sweep of one image (with all
/// cases' labels), and minimum and spread of the ranking score: `dice_min` and `dice_spread`.
///
/// The rows of each tuning case come first. Next comes a row without a case for each combination
/// that all of them have a score for: scores are means over the cases, `neighbours` and `plateau`
/// refer to that of the ranking score. Last come the rows of the held-out cases, and one without a
/// case for all of them.
[[nodiscard]] std::string to_csv(const CaseTable& table);

/// The same as an object; docs/command_line.md shows one.
[[nodiscard]] nlohmann::ordered_json to_json(const CaseTable& table);

/// Estimates the remaining time of a sweep over cases: `ms_left` for `runs_left` runs on an image
/// of `voxels` voxels, and the same time per voxel for the `later` voxels of the runs of later
/// cases.
[[nodiscard]] double expected_ms_of_cases(double ms_left, std::size_t runs_left, double voxels,
                                          double later);

}  // namespace seedwave
