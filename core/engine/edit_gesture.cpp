// SPDX-License-Identifier: Apache-2.0
#include "core/engine/edit_gesture.h"

#include "core/morphology/label_margin.h"
#include "core/morphology/label_part.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace seedwave {
namespace {

std::vector<LabelRun> runs_of_part(const PartAround& around, Label label, const LabelMap& labels,
                                   Context& context) {
  LabelPart part = part_at(labels, around.index, context);
  const bool is_label = label != 0 && label != kFixedAsNone;
  const bool is_open = part.label == 0 && (part.reaches_border || !is_label);
  if (is_open || part.label == label) return {};
  for (LabelRun& run : part.runs)
    run.label = label;
  return std::move(part.runs);
}

/// One kind of shape each.
struct RunsOf {
  Label label;
  const Geometry& geometry;
  const LabelMap& labels;
  Context& context;

  std::vector<LabelRun> operator()(const Stroke& stroke) const {
    return runs_at(rasterise(stroke, geometry), label);
  }
  std::vector<LabelRun> operator()(const Outline& outline) const {
    return runs_at(rasterise(outline, geometry), label);
  }
  std::vector<LabelRun> operator()(const PartAround& around) const {
    return runs_of_part(around, label, labels, context);
  }
  std::vector<LabelRun> operator()(const Margin& margin) const {
    return label == kFixedAsNone ? margin_inside(labels, margin.of, margin.distance, context)
                                 : margin_outside(labels, margin.of, margin.distance, context);
  }
  std::vector<LabelRun> operator()(const RegionArea& area) const {
    return area.outside ? runs_outside(area.regions, geometry, label)
                        : runs_inside(area.regions, geometry, label);
  }
};

}  // namespace

bool reads_labels(const EditGesture& gesture) {
  return std::holds_alternative<PartAround>(gesture.shape) ||
         std::holds_alternative<Margin>(gesture.shape);
}

std::vector<LabelRun> runs_of(const EditGesture& gesture, const Geometry& geometry,
                              const LabelMap& labels, Context& context) {
  return std::visit(RunsOf{gesture.label, geometry, labels, context}, gesture.shape);
}

EditFilter filter_of(const Edits& edits, Label label, const std::optional<EditRange>& range,
                     const Volume& image) {
  if (edits.is_locked(label)) return [](std::int64_t) { return false; };
  if (edits.locked.empty() && !range) return {};
  // By value: the edits share their voxels.
  return [edits, range, image](std::int64_t offset) {
    const bool is_locked =
        std::any_of(edits.locked.begin(), edits.locked.end(),
                    [offset](const auto& locked) { return locked.second.at(offset) != 0; });
    if (is_locked) return false;
    if (!range) return true;
    const double value = visit_voxels(image, [offset](const auto& voxels) {
      return static_cast<double>(voxels[static_cast<std::size_t>(offset)]);
    });
    return (value >= range->low && value <= range->high) != range->inverted;
  };
}

std::vector<LabelRun> filtered(const std::vector<LabelRun>& runs, const EditFilter& filter) {
  if (!filter) return runs;
  std::vector<LabelRun> kept;
  for (const LabelRun& run : runs) {
    for (std::int64_t offset = run.begin; offset < run.end; ++offset) {
      if (!filter(offset)) continue;
      if (!kept.empty() && kept.back().end == offset) {
        ++kept.back().end;
      } else {
        kept.push_back({offset, offset + 1, run.label});
      }
    }
  }
  return kept;
}

}  // namespace seedwave
