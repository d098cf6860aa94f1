// SPDX-License-Identifier: Apache-2.0
#include "core/engine/score.h"

#include "core/image/label_map.h"
#include "core/metrics/label_matching.h"
#include "core/metrics/object_scores.h"
#include "core/metrics/overlap.h"

#include <algorithm>
#include <cstddef>

namespace seedwave {

namespace {

/// With more labels than this, the same label numbers in two maps mean nothing.
constexpr std::size_t kMostNamedLabels = 32;

ObjectFigures figures_of(const ObjectScores& scores) {
  return {.reference = scores.reference,
          .found = scores.found,
          .matched = scores.matched,
          .pq = scores.pq().value_or(0.0),
          .aji = scores.aji().value_or(0.0)};
}

}  // namespace

Score score_against(const LabelMap& reference, Scored scored, const LabelMap& labels,
                    Context& context) {
  const LabelMap seen = compared_part(labels, reference, scored, context);
  const OverlapCounts counts(seen, reference, context);
  const Overlap foreground = foreground_overlap(seen, reference);
  Score score{.labels = counts.dice(), .foreground = foreground.dice()};
  if (look_like_objects(counts.labels(), foreground))
    score.objects = figures_of(object_scores(seen, reference, {1, 2}, context));
  return score;
}

Score scored(const LabelOrigin& origin, const Step& step, const Score& score,
             const std::set<Label>& reference_ids) {
  if (has_painted_labels(origin)) {
    Score painted;
    origin.step.recipe.seeds.for_each([&](const Stroke& stroke) {
      const auto found = score.labels.find(stroke.label);
      if (found != score.labels.end() && reference_ids.contains(stroke.label))
        painted.labels.insert(*found);
    });
    return painted;
  }
  const bool same_few =
      reference_ids.size() <= kMostNamedLabels &&
      step.facts.voxels.size() == reference_ids.size() &&
      std::all_of(step.facts.voxels.begin(), step.facts.voxels.end(),
                  [&](const auto& label) { return reference_ids.contains(label.first); });
  if (same_few) return {.labels = score.labels};
  return {.foreground = score.foreground, .objects = score.objects};
}

}  // namespace seedwave
