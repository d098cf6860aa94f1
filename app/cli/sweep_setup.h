// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "core/engine/sweep/sweep.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// What a sweep of one image and one of several cases have in common: flags, and the table's file.
namespace seedwave::cli {

/// --vary, --cases, --labels, --tolerance.
[[nodiscard]] FlagGroup sweep_flags();

/// What all runs of a sweep have, whatever the image.
struct SweepSetup {
  const OperationTable& table;
  const Operation& operation;
  const Arguments& arguments;
  std::vector<Vary> varied;
  std::vector<std::uint16_t> labels;
  double tolerance = kPlateauTolerance;
  Context::Settings settings;
  bool quiet = false;
};
/// Throws UsageError.
[[nodiscard]] SweepSetup setup_of(const OperationTable& table, const Operation& operation,
                                  const Arguments& arguments, const Call& call);

/// The combinations of the values. Throws UsageError.
[[nodiscard]] SweepGrid grid_of(const SweepSetup& setup, bool image_is_2d);

struct LoadedSweep {
  Sweep sweep;
  std::vector<std::string> warnings;
};
/// Reads the image and what belongs to it, which `inputs` names. Throws what load_inputs() and
/// Sweep() throw; Cancelled.
[[nodiscard]] LoadedSweep load_sweep(const SweepSetup& setup, const Arguments& inputs);

/// The call of `run` that gives what a run of the sweep gave on the image that `inputs` names.
[[nodiscard]] std::string single_run_of(const SweepSetup& setup, const Arguments& inputs,
                                        const Values& varied);

/// Where a sweep's table is written as it grows.
class TableFile {
 public:
  /// --out; nothing is written where there is none. Throws OutputError before anything is read.
  explicit TableFile(const Arguments& arguments);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Every few seconds, which is what a crash may cost.
  void write_if_due(const std::function<std::string()>& table);
  void write(const std::function<std::string()>& table);
  /// "17 of 63 runs are in t.csv".
  [[nodiscard]] std::string how_many(std::size_t done, std::size_t total) const;

 private:
  std::filesystem::path path_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

/// Throws UsageError where there are rows, and each failed.
void check_any_ran(std::span<const SweepRow> rows);

}  // namespace seedwave::cli
