// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/case_list.h"
#include "core/engine/sweep/row_report.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// A sweep over cases has at most so many rows, whatever its combinations: kMostSweepRuns each of
/// ten cases.
inline constexpr std::size_t kMostCaseRows = 10 * kMostSweepRuns;

/// A score over several cases.
struct CaseFigures {
  double mean = 0.0;
  double min = 0.0;
  /// The standard deviation of the cases as a sample (divided by their number less one); nothing
  /// for a single case.
  std::optional<double> spread;
  friend bool operator==(const CaseFigures&, const CaseFigures&) = default;
};

/// Nothing where there is no score, or where one is missing: a mean over other cases than its
/// neighbour's could not be compared with it.
[[nodiscard]] std::optional<CaseFigures> figures_of(std::span<const std::optional<double>> scores);

/// One case and what its runs gave, without its images.
struct CaseRows {
  std::string name;
  SweepCase::Use use = SweepCase::Use::Tune;
  Geometry geometry;
  VoxelType type = VoxelType::U8;
  /// The labels that are scored (empty: all that is labelled), and those whose voxels are counted.
  std::vector<std::uint16_t> labels;
  std::vector<std::uint16_t> counted;
  /// Those that have been. Of a case for the test there is one, by the chosen values.
  std::vector<SweepRow> rows{};
};

/// A case of whose runs none has been. `sweep` may go afterwards.
[[nodiscard]] CaseRows rows_without_runs(const SweepCase& one, const Sweep& sweep);

/// A sweep over several cases while it grows, and when it has ended.
struct CaseTable {
  Operation operation;
  SweepGrid grid;
  /// The values that hold for all runs.
  Values set{};
  double tolerance = kPlateauTolerance;
  /// All cases of the list, in its order.
  std::vector<CaseRows> cases{};

  [[nodiscard]] std::size_t count(SweepCase::Use use) const;
};

/// What the cases to tune by give together.
struct CaseFindings {
  /// By the number of the combination; nothing where a case has no score of it (yet).
  std::vector<std::optional<CaseFigures>> dice;
  std::vector<std::optional<double>> jaccard;  // means
  /// Of the mean Dice: its centre is what the held-out cases are run with.
  SweepFindings found;
};
[[nodiscard]] CaseFindings findings_of(const CaseTable& table);

/// What the held-out cases gave together; nothing before all have been.
[[nodiscard]] std::optional<CaseFigures> held_out(const CaseTable& table);

/// The rows as a table in CSV: `case` and `use`, the columns of a sweep of one image (with all
/// cases' labels), and `dice_min` and `dice_spread`.
///
/// First the rows of each case to tune by; then, for each combination that all of them have a score
/// of, a row without a case: `dice` and `jaccard` are means, `neighbours` and `plateau` are by the
/// mean. Then the rows of the held-out cases, and one without a case for them together.
[[nodiscard]] std::string to_csv(const CaseTable& table);

/// The same as an object; docs/command_line.md shows one.
[[nodiscard]] nlohmann::ordered_json to_json(const CaseTable& table);

/// The time that all runs of a sweep over cases may still take: `ms_left` for `runs_left` runs on
/// an image of `voxels`, and as long a voxel for each of the voxels that the runs of later cases
/// work through.
[[nodiscard]] double expected_ms_of_cases(double ms_left, std::size_t runs_left, double voxels,
                                          double later);

}  // namespace seedwave
