// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>

/// Applies operations on masks to the labels of a map, each label by itself.
namespace seedwave {

/// A label map, and the label in it that stands for everything else.
struct LabelledObjects {
  LabelMap labels;
  /// Counts as unlabelled, as 0 does; 0: there is no such label.
  Label background = 0;
};

/// Returns the label that stands for everything else: of several labels the one with the most
/// voxels at the border of the image (the sides in 2-D, the faces in 3-D), the smallest of equally
/// many. 0, which counts as one of them, if that is the largest, or if there is but one label.
/// Throws Cancelled.
[[nodiscard]] Label background_of(const LabelMap& labels, Context& context);

/// One label of a map, as a mask.
struct LabelMask {
  Label label = 0;
  /// Holds the label, and the voxels around it.
  Box box;
  /// u8 on the grid of the box: 1 where the map has the label, else 0.
  Volume mask;
  /// The map has no other label but the background.
  bool is_only = false;
};

/// Calls visit with the mask of each label that is not background, in increasing order.
///
/// margin: number of voxels around the label that its box holds, at least 1, unless the image ends
/// before. Throws Cancelled.
void visit_label_masks(const LabelledObjects& objects, std::int64_t margin, Context& context,
                       const std::function<void(const LabelMask&)>& visit);

/// Returns the mask of a label after an operation, as u8 on the same grid: not 0 inside.
using MaskOperation = std::function<Volume(const Volume& mask, Context&)>;

/// Applies an operation to each label by itself, and puts the results together.
///
/// A voxel that its label loses gets the background. A voxel that labels gain, and that is
/// unlabelled, gets the label of which it lies in the smallest gained part, the smallest label of
/// equally large parts; so the innermost of nested labels fills its hole. A gained part is a
/// connected part of all voxels that the label gains; those of other labels belong to it, but keep
/// their label.
///
/// connectivity: that of gained parts. margin: as in visit_label_masks(). The operation must give
/// the same on any box with that margin. Memory: the result, and 2 bytes per voxel of the largest
/// box; if one of several labels gains voxels, 4 bytes per voxel, and 15 per voxel of the box
/// around them. Throws Cancelled.
[[nodiscard]] LabelMap with_each_label(const LabelledObjects& objects, Connectivity connectivity,
                                       std::int64_t margin, const MaskOperation& operation,
                                       Context& context);

}  // namespace seedwave
