// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/sweep_target.h"
#include "core/engine/sweep/sweep.h"
#include "core/image/label_map.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Parts that a sweep of one image and one of several cases share: flags, and the table's file.
namespace seedwave::cli {

/// Returns the flags --vary, --cases, --labels, --rank-by, --tolerance.
[[nodiscard]] FlagGroup sweep_flags(const std::string& labels_flag = "labels");

/// Settings of all runs of a sweep, whatever the image.
struct SweepSetup {
  const SweepTarget& target;
  const Arguments& arguments;
  std::vector<Vary> varied;
  std::vector<Label> labels;
  std::optional<ScoreKind> ranked_by;
  double tolerance = kPlateauTolerance;
  Context::Settings settings;
  bool quiet = false;
};
/// Throws UsageError.
[[nodiscard]] SweepSetup setup_of(const SweepTarget& target, const Arguments& arguments,
                                  const Call& call);

/// Returns the combinations of the values. Throws UsageError.
[[nodiscard]] SweepGrid grid_of(const SweepSetup& setup, bool image_is_2d);

struct LoadedSweep {
  Sweep sweep;
  std::vector<std::string> warnings;
};
/// Reads the image and the other inputs that `inputs` names. Throws the errors of
/// SweepTarget::load() and Sweep(), and Cancelled.
[[nodiscard]] LoadedSweep load_sweep(const SweepSetup& setup, const Arguments& inputs);

/// Returns the command that repeats a run of the sweep on the image that `inputs` names; "" if
/// there is none.
[[nodiscard]] std::string single_run_of(const SweepSetup& setup, const Arguments& inputs,
                                        const Values& varied);

/// Writes the recipe with the values of the centre to the file that --out-recipe names, if it names
/// one. Throws InputError if there is no centre, OutputError.
void write_recipe(const SweepSetup& setup, const SweepGrid& grid,
                  const std::optional<Plateau>& plateau);

/// The file to which a sweep's table is written as it grows.
class TableFile {
 public:
  /// Reads --out; without it nothing is written. Throws OutputError before anything is read.
  explicit TableFile(const Arguments& arguments);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Writes every few seconds, so that a crash loses little.
  void write_if_due(const std::function<std::string()>& table);
  void write(const std::function<std::string()>& table);
  /// Returns "17 of 63 runs are in t.csv".
  [[nodiscard]] std::string how_many(std::size_t done, std::size_t total) const;

 private:
  std::filesystem::path path_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

/// Throws UsageError if there are rows and all of them failed.
void check_any_ran(std::span<const SweepRow> rows);

/// Runs a sweep over the cases that --cases lists. Checks all of them, then runs every combination
/// on each tuning case, one case after the other, and the chosen combination on the held-out cases.
/// Prints and writes the results, and returns the exit code.
///
/// Throws UsageError (also if --cases and the flag of an input are both given), InputError that
/// names the list and the line, OutputError. Nothing is written until all cases have passed the
/// check.
[[nodiscard]] int sweep_cases(const SweepSetup& setup, TableFile& file);

}  // namespace seedwave::cli
