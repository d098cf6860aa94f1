// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <vector>

/// Connected components of label maps: sets of connected voxels of equal label, in raster order of
/// their first voxels (L. He et al., Pattern Recognition 70, 2017; here by runs, in strips of rows
/// on all threads, joined by union-find).
namespace seedwave {

/// A connected part of a label, or all of a label's voxels.
struct ConnectedPart {
  Label label = 0;
  std::int64_t voxels = 0;
  Box box;
  /// Its first voxel in raster order.
  Index3 first{0, 0, 0};
  /// Sums of the indices of its voxels, by axis.
  Index3 sums{0, 0, 0};

  /// Returns the mean of its voxels' indices.
  [[nodiscard]] Vec3 centre() const noexcept;
  /// Adds the voxels of another part, which begins later.
  void add(const ConnectedPart& other) noexcept;
};

/// Returns the parts of at least `smallest` voxels. 0 is background.
///
/// Memory: 130 bytes for each part, however large the map is. Moves through the map in order.
/// Throws InputError if there are 2^32 parts or more, Cancelled.
[[nodiscard]] std::vector<ConnectedPart> connected_parts(const LabelMap& labels,
                                                         Connectivity connectivity,
                                                         std::int64_t smallest, Context& context);

/// Returns the parts of objects, whatever their values: u8, 0 is background. Their label is 1.
[[nodiscard]] std::vector<ConnectedPart> connected_parts(const Volume& objects,
                                                         Connectivity connectivity,
                                                         Context& context);

/// Returns the objects without the parts that are not kept, as u8: 1. Moves through them twice.
[[nodiscard]] Volume kept_parts(const Volume& objects, Connectivity connectivity,
                                const std::function<bool(const ConnectedPart&)>& keep,
                                Context& context);

/// Returns the parts of at least `smallest` voxels as labels 1, 2, ...; others get 0. Moves through
/// the map twice. Throws as connected_parts().
[[nodiscard]] LabelMap number_connected_parts(const LabelMap& labels, Connectivity connectivity,
                                              std::int64_t smallest, Context& context);

/// Returns the voxels of each label together, in increasing order of the labels, of parts in any
/// order.
[[nodiscard]] std::vector<ConnectedPart> joined_by_label(std::vector<ConnectedPart> parts);

}  // namespace seedwave
