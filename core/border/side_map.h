// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/image/label_map.h"
#include "core/parallel/context.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <span>

namespace seedwave::border {

/// The side of each voxel of a box with a margin of one voxel, as far as it is known.
class SideMap {
 public:
  enum Side : std::uint8_t { Outside, Inside, Open, Nowhere };  // Nowhere: beyond the image

  /// Reads the sides from the labels.
  SideMap(const LabelMap& labels, Label label, const Box& box, Context& context);

  /// Opens the voxels of the margin on both sides along an axis, whatever they are.
  void open_margin(int axis);

  /// Returns whether a voxel of the image lies in the map or its margin.
  [[nodiscard]] bool holds(const Index3& at) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < lo_[axis] || at[axis] >= lo_[axis] + size_[axis]) return false;
    }
    return true;
  }
  /// Steps between neighbours along each axis.
  [[nodiscard]] std::array<std::int64_t, 3> strides() const {
    return {1, size_[0], size_[0] * size_[1]};
  }
  /// Returns what to add to the offsets of a row of the image, given one of its voxels.
  [[nodiscard]] std::int64_t shift_of_row(const Index3& at) const {
    return at[0] - lo_[0] + size_[0] * (at[1] - lo_[1] + size_[1] * (at[2] - lo_[2])) -
           geometry_.offset(at);
  }
  // Threads decide on some voxels while they look at others.
  [[nodiscard]] std::uint8_t at(std::int64_t place) const {
    return std::atomic_ref(sides_[place]).load(std::memory_order_relaxed);
  }
  void set(std::int64_t place, Side side) {
    std::atomic_ref(sides_[place]).store(side, std::memory_order_relaxed);
  }

 private:
  template <LabelType T>
  void read_row(std::span<const T> labels, T label, std::int64_t row);

  Geometry geometry_;
  Index3 lo_;
  Index3 size_{};
  LargeArray<std::uint8_t> sides_;
};

/// Finds the places of voxels in a map of sides: quickly for those of one row after each other.
class Places {
 public:
  Places(const Geometry& geometry, const SideMap& map) : geometry_(geometry), map_(map) {}

  [[nodiscard]] bool holds(std::int64_t offset) const {
    return map_.holds(geometry_.index_of(offset));
  }

  [[nodiscard]] std::int64_t of(std::int64_t offset) {
    if (offset < row_ || offset >= row_ + geometry_.size[0]) {
      const Index3 at = geometry_.index_of(offset);
      row_ = offset - at[0];
      shift_ = map_.shift_of_row(at);
    }
    return offset + shift_;
  }

 private:
  const Geometry& geometry_;
  const SideMap& map_;
  std::int64_t row_ = std::numeric_limits<std::int64_t>::min() / 2;  // none yet
  std::int64_t shift_ = 0;
};

}  // namespace seedwave::border
