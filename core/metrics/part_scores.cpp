// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/part_scores.h"

#include "core/metrics/overlapping_objects.h"
#include "core/morphology/connected_parts.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

LabelledObjects parts_of(const LabelMap& map, Connectivity connectivity, Context& context) {
  LabelledObjects parts{.numbers = number_connected_parts(map, connectivity, 0, context)};
  for (const ConnectedPart& part : connected_parts(map, connectivity, 0, context))
    parts.labels.push_back(part.label);
  return parts;
}

/// Objects of one map, by label.
struct Grouped {
  std::map<Label, std::vector<LabelCounts::value_type>> objects;
  /// The label of each object, and its place among those of the label.
  std::vector<std::pair<Label, std::size_t>> places;
};

Grouped grouped(const LabelCounts& objects, std::span<const Label> labels) {
  Grouped all;
  all.places.reserve(objects.size());
  for (const auto& [number, voxels] : objects) {
    const Label label = labels[number - 1];
    auto& group = all.objects[label];
    all.places.emplace_back(label, group.size());
    group.emplace_back(number, voxels);
  }
  return all;
}

/// Returns the objects of each label, and the overlaps of objects of the same one.
std::map<Label, OverlappingObjects> by_label(const OverlappingObjects& objects,
                                             std::span<const Label> found_labels,
                                             std::span<const Label> reference_labels) {
  Grouped found = grouped(objects.found, found_labels);
  Grouped reference = grouped(objects.reference, reference_labels);
  std::map<Label, OverlappingObjects> labels;
  for (auto& [label, group] : found.objects)
    labels[label].found = LabelCounts(std::move(group));
  for (auto& [label, group] : reference.objects)
    labels[label].reference = LabelCounts(std::move(group));
  for (const SharedVoxels& pair : objects.shared) {
    const auto& [label, place] = found.places[pair.result];
    const auto& [other_label, other_place] = reference.places[pair.reference];
    if (label == other_label)
      labels[label].shared.push_back({.result = place, .reference = other_place, .iou = pair.iou});
  }
  return labels;
}

void add(const Overlap& more, Overlap& sum) {
  sum.result += more.result;
  sum.reference += more.reference;
  sum.both += more.both;
  sum.total = more.total;
}

}  // namespace

PartScores part_scores(const LabelMap& result, const LabelMap& reference, const Fraction& limit,
                       Connectivity connectivity, Context& context) {
  return scores_by_label(parts_of(result, connectivity, context),
                         parts_of(reference, connectivity, context), limit, context);
}

PartScores scores_by_label(const LabelledObjects& result, const LabelledObjects& reference,
                           const Fraction& limit, Context& context) {
  const OverlappingObjects objects =
      overlapping_objects(result.numbers, reference.numbers, context);
  const std::int64_t voxels = result.numbers.geometry().voxel_count();
  PartScores scores;
  for (const auto& [label, of_label] : by_label(objects, result.labels, reference.labels))
    scores[label] = object_scores(of_label, limit, voxels, context);
  return scores;
}

std::optional<double> mean_over_labels(const PartScores& labels, ObjectRatio ratio) {
  double sum = 0.0;
  int count = 0;
  for (const auto& [label, scores] : labels) {
    const std::optional<double> one = (scores.*ratio)();
    if (scores.reference == 0 || !one) continue;
    sum += *one;
    ++count;
  }
  if (count == 0) return {};
  return sum / count;
}

ObjectScores pooled(const PartScores& labels) {
  ObjectScores sum;
  for (const auto& [label, scores] : labels) {
    sum.reference += scores.reference;
    sum.found += scores.found;
    sum.matched += scores.matched;
    for (std::size_t i = 0; i < kIouLimits; ++i)
      sum.matched_by_iou[i] += scores.matched_by_iou[i];
    sum.iou_sum += scores.iou_sum;
    sum.split += scores.split;
    sum.merged += scores.merged;
    sum.aji_both += scores.aji_both;
    sum.aji_either += scores.aji_either;
    add(scores.foreground, sum.foreground);
  }
  return sum;
}

}  // namespace seedwave
