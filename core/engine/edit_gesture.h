// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/edits.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/outline.h"
#include "core/image/region.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace seedwave {

/// The connected part of equal labels around a voxel. A part without a label is filled if labels
/// enclose it, and otherwise left alone.
struct PartAround {
  Index3 index{0, 0, 0};
};

/// The voxels by which a label grows: those without a label within a distance of it. With
/// kFixedAsNone as the gesture's label, those of `of` within a distance of its border.
struct Margin {
  Label of = 0;
  double distance = 0.0;  // in the unit of the grid
};

/// The pixels of a 2-D image inside any of some regions, or outside all of them.
struct RegionArea {
  Regions regions;
  bool outside = false;
};

/// A change of the edits by hand.
struct EditGesture {
  /// The new state of the voxels: a label, kFixedAsNone, or 0 to give them back to the results of
  /// runs.
  Label label = 0;
  std::variant<Stroke, Outline, PartAround, Margin, RegionArea> shape;
};

/// Returns whether the voxels of a gesture depend on the labels of a result: parts and margins.
/// Those of strokes and outlines do not.
[[nodiscard]] bool reads_labels(const EditGesture& gesture);

/// Returns the voxels of a gesture on a grid. `labels`: the displayed result on that grid; empty if
/// it is not read. Throws Cancelled.
[[nodiscard]] std::vector<LabelRun> runs_of(const EditGesture& gesture, const Geometry& geometry,
                                            const LabelMap& labels, Context& context);

/// Limits edits to voxels by their intensity.
struct EditRange {
  double low = 0.0;
  double high = 0.0;
  /// Only voxels outside the range are edited.
  bool inverted = false;
  friend bool operator==(const EditRange&, const EditRange&) = default;
};

/// Returns whether an edit may change the voxel at an offset.
using EditFilter = std::function<bool(std::int64_t offset)>;

/// Returns the filter of an edit with a label: none for a locked label, no voxel of a locked label,
/// and those in the range. Empty if everything may be changed. image: one component.
[[nodiscard]] EditFilter filter_of(const Edits& edits, Label label,
                                   const std::optional<EditRange>& range, const Volume& image);

/// Returns the runs inside which the filter allows all voxels.
[[nodiscard]] std::vector<LabelRun> filtered(const std::vector<LabelRun>& runs,
                                             const EditFilter& filter);

}  // namespace seedwave
