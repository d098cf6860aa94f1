// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/views/plane_axes.h"

#include <QLineF>

#include <cstdint>
#include <tuple>
#include <vector>

namespace seedwave::ui {

/// The border of a set of voxels on one slice after the other: the rim of the strokes that are
/// chosen in the list. Remembers the slice it was asked for last.
class VoxelOutline {
 public:
  /// Offsets on the image's grid, sorted, each once; empty: no outline.
  void set_voxels(std::vector<std::int64_t> offsets);
  [[nodiscard]] bool empty() const noexcept { return offsets_.empty(); }

  /// The edges between a voxel that belongs and one that does not, in slice coordinates: voxel
  /// centres are whole numbers. The picture's edge counts as a border.
  [[nodiscard]] const std::vector<QLineF>& lines(const PlaneAxes& axes, std::int64_t slice);

 private:
  std::vector<std::int64_t> offsets_;
  std::vector<QLineF> lines_;
  /// Start and strides of the slice that lines_ belong to; strides of 0: of none.
  std::tuple<std::int64_t, std::int64_t, std::int64_t> slice_{0, 0, 0};
};

}  // namespace seedwave::ui
