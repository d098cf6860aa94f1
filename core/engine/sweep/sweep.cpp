// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sweep/sweep.h"

#include "core/base/error.h"
#include "core/image/label_map.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/overlap.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

namespace seedwave {
namespace {

using Labels = std::set<Label>;

std::string listed(const Labels& labels) {
  std::string text;
  for (const Label label : labels)
    text += (text.empty() ? "" : ", ") + std::to_string(label);
  return text;
}

Labels labels_of(const SeedVoxels& seeds) {
  Labels labels;
  for (const Seed& seed : seeds.seeds)
    labels.insert(seed.label);
  return labels;
}

Labels labels_of(const LabelMap& map) {
  Labels labels;
  for (const auto& [label, count] : count_labels(map))
    labels.insert(label);
  return labels;
}

Labels shared(const Labels& a, const Labels& b) {
  Labels both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

/// Returns the labels to score; empty for the foreground. Throws if there would be none.
Labels labels_to_score(const SweepRequest& request, const Labels& seeded) {
  const Labels in_reference = labels_of(request.reference);
  if (in_reference.empty()) throw InputError("the reference has no labels: nothing can be scored");
  Labels asked(request.labels.begin(), request.labels.end());
  for (const Label label : asked) {
    if (in_reference.contains(label)) continue;
    throw InputError("the reference has no label " + std::to_string(label) + ", only " +
                     listed(in_reference));
  }
  if (!asked.empty() || seeded.empty()) return asked;
  Labels both = shared(seeded, in_reference);
  if (both.empty()) {
    throw InputError("the seeds have label " + listed(seeded) + ", but the reference has only " +
                     listed(in_reference));
  }
  return both;
}

void check_not_set(const SweepRequest& request) {
  for (const SweepAxis& axis : request.grid.axes()) {
    if (request.base.values.has(axis.parameter)) {
      throw UsageError(axis.parameter + " is varied and cannot be set too");
    }
  }
}

SweepScore score_of(const Overlap& overlap) {
  return {.dice = overlap.dice().value_or(0.0), .jaccard = overlap.jaccard().value_or(0.0)};
}

SweepScore mean_of(const std::map<Label, SweepScore>& by_label) {
  SweepScore sum;
  for (const auto& [label, score] : by_label) {
    sum.dice += score.dice;
    sum.jaccard += score.jaccard;
  }
  const auto count = static_cast<double>(by_label.size());
  return {.dice = sum.dice / count, .jaccard = sum.jaccard / count};
}

}  // namespace

Sweep::Sweep(const OperationTable& table, SweepRequest request)
    : table_(&table), request_(std::move(request)) {
  const RunRequest& base = request_.base;
  check_inputs(operation(), base.inputs);
  if (is_scored()) check_reference(request_.reference, base.inputs.image.geometry());
  check_not_set(request_);
  static_cast<void>(checked_values(operation(), base.values, base.inputs.image.geometry().is_2d()));
  if (is_scored() && !gives_labels()) {
    throw UsageError(operation().id +
                     " gives no labels for an image, but a reference is compared with labels");
  }
  if (!request_.labels.empty() && !is_scored()) {
    throw UsageError("labels are scored against a reference, but there is none");
  }
  if (!gives_labels()) return;
  Labels counted = labels_of(base.inputs.seeds);
  if (is_scored()) {
    const Labels scored = labels_to_score(request_, counted);
    request_.labels.assign(scored.begin(), scored.end());
    counted.insert(scored.begin(), scored.end());
  }
  counted_.assign(counted.begin(), counted.end());
}

SweepRow Sweep::run(std::size_t number, Context& context) const {
  SweepRow row;
  row.run = number;
  RunRequest request = request_.base;
  for (const auto& [id, value] : grid().values_of(number))
    request.values.set(id, value);
  RunReport report;
  try {
    report = run_operation(*table_, request, context);
  } catch (const UsageError& error) {
    row.facts.values = request.values;
    row.failure = error.what();
    return row;
  }
  const LabelCounts counts = std::exchange(report.facts.voxels, {});
  row.facts = std::move(report.facts);
  row.label_count = std::ssize(counts);
  for (const auto& [label, count] : counts)
    row.labelled += count;
  for (const Label label : counted_)
    row.voxels[label] = counts.of(label);
  auto* labels =
      std::get_if<LabelMap>(&report.outputs.at(operation().main_output(report.reads).id));
  const LabelMap& reference = request_.reference;
  if (labels == nullptr || reference.empty()) return row;
  *labels = compared_part(*labels, reference, scored(), context);
  if (request_.labels.empty()) {
    row.score = score_of(foreground_overlap(*labels, reference));
    return row;
  }
  const auto overlaps = OverlapCounts(*labels, reference, context).labels();
  for (const Label label : request_.labels)
    row.by_label[label] = score_of(overlaps.at(label));  // the reference has it
  row.score = mean_of(row.by_label);
  return row;
}

std::optional<double> expected_ms(std::span<const double> times, std::size_t left) {
  if (times.empty()) return {};
  if (times.size() > 1) times = times.subspan(1);
  const double mean =
      std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  return mean * static_cast<double>(left);
}

void run_sweep(const Sweep& sweep, const Context::Settings& settings, const SweepObserver& observer,
               std::size_t first) {
  using Clock = std::chrono::steady_clock;
  Context::Settings each = settings;
  if (!each.cache) each.cache = std::make_shared<ScratchCache>();
  SweepProgress progress{.done = first, .total = sweep.grid().size(), .stage = {}, .ms_left = {}};
  each.progress = {};
  if (observer.progress) {
    each.progress = [&](const std::string& stage, double fraction) {
      SweepProgress now = progress;
      now.stage = stage;
      now.fraction = fraction;
      observer.progress(now);
    };
  }
  std::vector<double> times;
  for (; progress.done < progress.total; ++progress.done) {
    Context context(each);  // its times are those of one run
    context.checkpoint(0.0);
    const Clock::time_point start = Clock::now();
    SweepRow row = sweep.run(progress.done, context);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    progress.ms_left = expected_ms(times, progress.total - progress.done - 1);
    observer.row(std::move(row));
  }
}

SweepScores scores_of(const SweepGrid& grid, std::span<const SweepRow> rows) {
  SweepScores scores(grid.size());
  for (const SweepRow& row : rows) {
    if (row.score) scores[row.run] = row.score->dice;
  }
  return scores;
}

}  // namespace seedwave
