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

namespace seedwave {
namespace {

using Labels = std::set<Label>;

std::string listed(const Labels& labels) {
  std::string text;
  for (const Label label : labels)
    text += (text.empty() ? "" : ", ") + std::to_string(label);
  return text;
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
Labels labels_to_score(const SweepRequest& request, const Labels& seeded,
                       const Labels& in_reference) {
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
  const Values set = request.subject->values();
  for (const SweepAxis& axis : request.grid.axes()) {
    if (set.has(axis.parameter))
      throw UsageError(axis.parameter + " is varied and cannot be set too");
  }
}

SweepScore score_of(const Overlap& overlap) {
  return {.dice = overlap.dice().value_or(0.0), .jaccard = overlap.jaccard().value_or(0.0)};
}

ScoresByKind mean_of(const std::map<Label, SweepScore>& by_label) {
  SweepScore sum;
  for (const auto& [label, score] : by_label) {
    sum.dice += score.dice;
    sum.jaccard += score.jaccard;
  }
  const auto count = static_cast<double>(by_label.size());
  return {{ScoreKind::Dice, sum.dice / count}, {ScoreKind::Jaccard, sum.jaccard / count}};
}

}  // namespace

std::optional<double> SweepRow::score(ScoreKind kind) const {
  const auto found = scores.find(kind);
  return found == scores.end() ? std::nullopt : std::optional(found->second);
}

bool number_objects(std::span<const SweepRow> rows) {
  const auto objects = std::ranges::count_if(rows, [](const SweepRow& row) {
    return row.label_count >= static_cast<std::int64_t>(kFewestObjects);
  });
  const auto several =
      std::ranges::count_if(rows, [](const SweepRow& row) { return row.label_count > 1; });
  return objects > 0 && 2 * objects >= several;
}

Sweep::Sweep(SweepRequest request) : request_(std::move(request)) {
  if (is_scored()) check_reference(request_.reference, subject().grid());
  check_not_set(request_);
  if (is_scored() && !subject().gives_labels()) {
    throw UsageError(subject().name().name +
                     " gives no labels for an image, but a reference is compared with labels");
  }
  if (!request_.labels.empty() && !is_scored())
    throw UsageError("labels are scored against a reference, but there is none");
  if (subject().gives_labels()) {
    Labels counted = subject().seeded_labels();
    if (is_scored()) {
      const Labels in_reference = labels_of(request_.reference);
      const Labels scored = labels_to_score(request_, counted, in_reference);
      request_.labels.assign(scored.begin(), scored.end());
      counted.insert(scored.begin(), scored.end());
      counts_objects_ = scored.empty() && in_reference.size() >= kFewestObjects;
    }
    counted_.assign(counted.begin(), counted.end());
  }
  if (request_.ranked_by && !is_scored())
    throw UsageError("runs are ranked by a comparison with a reference, but there is none");
  if (request_.ranked_by && is_of_objects(*request_.ranked_by) && !counts_objects_) {
    throw UsageError("runs cannot be ranked by " + title_of(*request_.ranked_by) +
                     ": the reference does not number objects, or labels are scored");
  }
}

ScoreKind Sweep::ranked_by(std::span<const SweepRow> rows) const {
  if (request_.ranked_by) return *request_.ranked_by;
  return counts_objects_ && number_objects(rows) ? ScoreKind::F1 : ScoreKind::Dice;
}

void Sweep::score(const LabelMap& labels, SweepRow& row, Context& context) const {
  const LabelMap& reference = request_.reference;
  const LabelMap seen = compared_part(labels, reference, scored(), context);
  if (counts_objects_) {
    row.objects = object_scores(seen, reference, {1, 2}, context);
    row.scores = scores_by_kind(row.objects->foreground);
    row.scores.merge(scores_by_kind(*row.objects));
  } else if (request_.labels.empty()) {
    row.scores = scores_by_kind(foreground_overlap(seen, reference));
  } else {
    const auto overlaps = OverlapCounts(seen, reference, context).labels();
    for (const Label label : request_.labels)
      row.by_label[label] = score_of(overlaps.at(label));  // the reference has it
    row.scores = mean_of(row.by_label);
  }
}

SweepRow Sweep::run(std::size_t number, Context& context) const {
  SweepRow row;
  row.run = number;
  const Values varied = grid().values_of(number);
  SweepSubject::Result result;
  try {
    result = subject().run(varied, context);
  } catch (const UsageError& error) {
    row.facts.values = subject().values();
    for (const auto& [id, value] : varied)
      row.facts.values.set(id, value);
    row.failure = error.what();
    return row;
  }
  const LabelCounts counts = std::exchange(result.facts.voxels, {});
  row.facts = std::move(result.facts);
  row.label_count = std::ssize(counts);
  for (const auto& [label, count] : counts)
    row.labelled += count;
  for (const Label label : counted_)
    row.voxels[label] = counts.of(label);
  if (result.labels && is_scored()) score(*result.labels, row, context);
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

SweepScores scores_of(const SweepGrid& grid, std::span<const SweepRow> rows, ScoreKind kind) {
  SweepScores scores(grid.size());
  for (const SweepRow& row : rows)
    scores[row.run] = row.score(kind);
  return scores;
}

SweepFindings findings_of(const Sweep& sweep, std::span<const SweepRow> rows, double tolerance) {
  return findings_of(sweep.grid(), scores_of(sweep.grid(), rows, sweep.ranked_by(rows)), tolerance);
}

}  // namespace seedwave
