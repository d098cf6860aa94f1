// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/ops/operation.h"
#include "core/parallel/context.h"

#include <optional>
#include <set>

namespace seedwave {

/// The part of labels to correct that strokes let an operation decide anew: everything within reach
/// of them. Outside, the labels stand; on the rim of the part they compete with the strokes.
struct Correction {
  /// The part lies in this box of the image.
  Box box;
  /// The inputs of the operation, on the grid of the box: the mask is the part, and the seeds are
  /// the strokes and the labels on its rim.
  Inputs inputs;
  /// The label that stands for "no label" among the seeds.
  Label rest = 0;
  /// The labels of the strokes.
  std::set<Label> stroked;
};

/// Returns what the strokes of `inputs` reach in its labels to correct; nothing without strokes.
///
/// rest: the label of voxels without one; 0 for a free one. reach: distance from the strokes, in
/// the unit of the grid. Empty: for each label twice the farthest distance from its strokes to a
/// voxel that has the label already (30 if none has), but at least five edges of a voxel. Throws
/// Cancelled.
[[nodiscard]] std::optional<Correction> correction_of(const Inputs& inputs, Label rest,
                                                      const std::optional<double>& reach,
                                                      Context& context);

/// Returns the labels to correct with what labels of strokes have won in the part; what others won
/// stays as it was, so a stroke takes no voxel from its own label. `decided`: on the grid of the
/// box.
[[nodiscard]] LabelMap corrected(const LabelMap& start, const Correction& correction,
                                 const LabelMap& decided);

}  // namespace seedwave
