// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/plateau.h"
#include "core/engine/sweep/sweep_grid.h"
#include "core/metrics/scored.h"
#include "core/ops/run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// What is to be swept: a run as it would be asked for, and the parameters that change.
struct SweepRequest {
  /// Its values hold for all runs. With a reference the runs are scored.
  RunRequest base;
  SweepGrid grid;
  /// By which labels a result is scored; empty: those that have seeds and that the reference has (a
  /// background that it does not know is no miss), and where nothing was seeded the foreground: all
  /// that is labelled, whatever its number.
  std::vector<std::uint16_t> labels{};
  Scored scored = Scored::Everywhere;
};

/// How a result lies to the reference.
struct SweepScore {
  double dice = 0.0;
  double jaccard = 0.0;
};

/// What one run of a sweep gave.
struct SweepRow {
  std::size_t run = 0;  // its number in the grid
  /// All values as used, `auto` replaced by its number; of a run that failed, those asked for.
  Values values;
  std::string algorithm;
  Backend backend = Backend::Cpu;
  std::string device;
  std::string why;
  /// Of the main output.
  std::string digest;
  /// The operation alone.
  double ms = 0.0;
  /// Labels that came out: how many there are, all of their voxels, and those of the labels that
  /// have seeds or are scored.
  std::int64_t label_count = 0;
  std::int64_t labelled = 0;
  std::map<std::uint16_t, std::int64_t> voxels;
  /// The mean over the labels that are scored, or that of the foreground; and of each label.
  std::optional<SweepScore> score;
  std::map<std::uint16_t, SweepScore> by_label;
  std::vector<std::string> warnings;
  /// Why these values do not go together; "" where they do.
  std::string failure;
};

/// A sweep that was checked and can run: any of its runs, in any order, as often as wanted.
///
/// A value but for the table, which must outlive it. Thread-safe: nothing changes.
class Sweep {
 public:
  /// Throws UsageError (operation, values, a parameter both set and varied, labels where nothing is
  /// scored by labels), InputError (inputs; no label to score).
  Sweep(const OperationTable& table, SweepRequest request);

  [[nodiscard]] const Operation& operation() const { return table_->at(request_.base.operation); }
  [[nodiscard]] const SweepGrid& grid() const noexcept { return request_.grid; }
  [[nodiscard]] const RunRequest& base() const noexcept { return request_.base; }
  [[nodiscard]] Scored scored() const noexcept { return request_.scored; }
  /// Results are compared with a reference.
  [[nodiscard]] bool is_scored() const noexcept { return !request_.base.inputs.reference.empty(); }
  /// The labels that are scored, ascending; empty: the foreground, or nothing.
  [[nodiscard]] const std::vector<std::uint16_t>& labels() const noexcept {
    return request_.labels;
  }
  /// The labels whose voxels are counted, ascending.
  [[nodiscard]] const std::vector<std::uint16_t>& counted() const noexcept { return counted_; }

  /// One run, as run_operation() does it with the same values: the same digest.
  /// A run whose values do not go together (a low threshold above the high one) is a row with a
  /// failure. Throws what else run_operation() throws; Cancelled.
  [[nodiscard]] SweepRow run(std::size_t number, Context& context) const;

 private:
  const OperationTable* table_;
  SweepRequest request_;
  std::vector<std::uint16_t> counted_;
};

/// Where a sweep stands while it runs.
struct SweepProgress {
  std::size_t done = 0;
  std::size_t total = 0;
  /// Of the run that is going on.
  std::string stage;
  double fraction = 0.0;
  /// What the runs that are left may take; nothing before the first has ended.
  std::optional<double> ms_left;
};

/// What the runs that are left may take, from the times of those that were: their mean, without the
/// first where there are others, since it makes what they find in the cache.
[[nodiscard]] std::optional<double> expected_ms(std::span<const double> times, std::size_t left);

struct SweepObserver {
  /// After each run, in order of their numbers: what was told remains, however the sweep ends.
  std::function<void(SweepRow)> row;
  /// From any thread of a run; may be empty.
  std::function<void(const SweepProgress&)> progress{};
};

/// All runs of a sweep from `first` on, one after the other, on one scratch cache: what does not
/// change from one to the next is not computed again.
///
/// settings: of every run; its progress is not used, and a cache is made where it has none.
/// Throws what Sweep::run() throws; Cancelled.
void run_sweep(const Sweep& sweep, const Context::Settings& settings, const SweepObserver& observer,
               std::size_t first = 0);

/// The Dice of rows by the number of their run.
[[nodiscard]] SweepScores scores_of(const SweepGrid& grid, std::span<const SweepRow> rows);

}  // namespace seedwave
