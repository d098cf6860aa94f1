// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/plane_axes.h"

#include <QLineF>

#include <cstdint>
#include <tuple>
#include <vector>

namespace seedwave::ui {

/// The outline of a set of voxels on one slice at a time: the rim of the strokes selected in the
/// list. Caches the outline of the last slice.
class VoxelOutline {
 public:
  /// Offsets on the grid of the image, sorted and unique; empty for no outline.
  void set_voxels(std::vector<std::int64_t> offsets);
  [[nodiscard]] bool empty() const noexcept { return offsets_.empty(); }

  /// Returns the edges between voxels inside and outside the set, in slice coordinates: voxel
  /// centres are integers. The edge of the image counts as an edge.
  [[nodiscard]] const std::vector<QLineF>& lines(const PlaneAxes& axes, std::int64_t slice);

 private:
  std::vector<std::int64_t> offsets_;
  std::vector<QLineF> lines_;
  /// Start and strides of the slice of lines_; strides of 0 if there is none.
  std::tuple<std::int64_t, std::int64_t, std::int64_t> slice_{0, 0, 0};
};

}  // namespace seedwave::ui
