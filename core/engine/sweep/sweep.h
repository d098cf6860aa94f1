// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/sweep/plateau.h"
#include "core/engine/sweep/sweep_grid.h"
#include "core/engine/sweep/sweep_subject.h"
#include "core/image/label_map.h"
#include "core/metrics/object_scores.h"
#include "core/metrics/score_kind.h"
#include "core/metrics/scored.h"
#include "core/ops/run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace seedwave {

/// A request for a sweep: a computation, and the parameters that vary.
struct SweepRequest {
  std::shared_ptr<const SweepSubject> subject;
  SweepGrid grid;
  /// On the grid of the image. If empty, the runs are not scored.
  LabelMap reference{};
  /// The labels by which a result is scored. If empty: those that have seeds and that the reference
  /// has (a background that it lacks is not an error). Without seeds: the foreground, that is all
  /// labelled voxels whatever their number.
  std::vector<Label> labels{};
  Scored scored = Scored::Everywhere;
  /// The score by which runs are ranked; nothing: see Sweep::ranked_by(). Jaccard ranks as Dice
  /// does for one label.
  std::optional<ScoreKind> ranked_by{};
};

/// Agreement of a result with the reference.
struct SweepScore {
  double dice = 0.0;
  double jaccard = 0.0;
};

/// The result of one run of a sweep.
struct SweepRow {
  std::size_t run = 0;  // its number in the grid
  /// For a failed run only the values, as requested. The counts are those below.
  RunFacts facts;
  /// Resulting labels: their number, the number of their voxels, and the voxels of each label that
  /// has seeds or is scored.
  std::int64_t label_count = 0;
  std::int64_t labelled = 0;
  std::map<Label, std::int64_t> voxels;
  /// Dice and Jaccard: the mean over the scored labels, or of the foreground. If the sweep counts
  /// objects, their scores too. Empty if the run failed or there is no reference.
  ScoresByKind scores;
  /// The score of each label.
  std::map<Label, SweepScore> by_label;
  std::optional<ObjectScores> objects;
  /// Why these values cannot be combined; "" if they can.
  std::string failure;

  [[nodiscard]] std::optional<double> score(ScoreKind kind) const;
};

/// Returns whether most results with several labels have at least kFewestObjects: they number
/// objects.
[[nodiscard]] bool number_objects(std::span<const SweepRow> rows);

/// A sweep that has been checked. Its runs can be made in any order and any number of times.
///
/// A value. Immutable and therefore thread-safe.
class Sweep {
 public:
  /// Throws UsageError (a parameter both set and varied, labels although nothing is scored by
  /// labels, a score that its results do not have), InputError (no label to score).
  explicit Sweep(SweepRequest request);

  [[nodiscard]] const SweepSubject& subject() const noexcept { return *request_.subject; }
  [[nodiscard]] const SweepGrid& grid() const noexcept { return request_.grid; }
  [[nodiscard]] Scored scored() const noexcept { return request_.scored; }
  /// Returns whether results are compared with a reference.
  [[nodiscard]] bool is_scored() const noexcept { return !request_.reference.empty(); }
  /// Returns whether objects are counted: the reference has at least kFewestObjects labels, and
  /// neither seeds nor the request name labels to score.
  [[nodiscard]] bool counts_objects() const noexcept { return counts_objects_; }
  /// The labels that are scored, ascending; empty: the foreground, or nothing.
  [[nodiscard]] const std::vector<Label>& labels() const noexcept { return request_.labels; }
  /// The labels whose voxels are counted, ascending.
  [[nodiscard]] const std::vector<Label>& counted() const noexcept { return counted_; }
  /// Returns the score by which runs are ranked: the one of the request, otherwise F1 if they
  /// number_objects(), otherwise Dice.
  [[nodiscard]] ScoreKind ranked_by(std::span<const SweepRow> rows) const;

  /// Makes one run. One whose values cannot be combined (a low threshold above the high one) gives
  /// a row with a failure. Throws the other errors of SweepSubject::run().
  [[nodiscard]] SweepRow run(std::size_t number, Context& context) const;

 private:
  void score(const LabelMap& labels, SweepRow& row, Context& context) const;

  SweepRequest request_;
  std::vector<Label> counted_;
  bool counts_objects_ = false;
};

/// Progress of a running sweep.
struct SweepProgress {
  std::size_t done = 0;
  std::size_t total = 0;
  /// Stage of the current run, and the fraction of it that is done.
  std::string stage;
  double fraction = 0.0;
  /// Estimated time of the remaining runs; nothing until the first has ended.
  std::optional<double> ms_left;
};

/// Estimates the time of the remaining runs from the mean of `times`. The first is left out if
/// there are others, because it fills the cache for them.
[[nodiscard]] std::optional<double> expected_ms(std::span<const double> times, std::size_t left);

struct SweepObserver {
  /// Called after each run, in order of their numbers. Reported rows stay valid however the sweep
  /// ends.
  std::function<void(SweepRow)> row;
  /// Called from any thread of a run; may be empty.
  std::function<void(const SweepProgress&)> progress{};
};

/// Makes all runs of a sweep from `first` on, one after the other, with one scratch cache.
/// Intermediate results that do not change from one run to the next are reused.
///
/// settings: for every run; its progress is not used, and a cache is created if it has none. Throws
/// the errors of Sweep::run(); Cancelled.
void run_sweep(const Sweep& sweep, const Context::Settings& settings, const SweepObserver& observer,
               std::size_t first = 0);

/// Returns a score of the rows by the number of their run.
[[nodiscard]] SweepScores scores_of(const SweepGrid& grid, std::span<const SweepRow> rows,
                                    ScoreKind kind);
/// Returns the findings of a sweep's rows so far, by the score that ranks them.
[[nodiscard]] SweepFindings findings_of(const Sweep& sweep, std::span<const SweepRow> rows,
                                        double tolerance = kPlateauTolerance);

}  // namespace seedwave
