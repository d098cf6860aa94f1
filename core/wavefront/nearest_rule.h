// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/image/geometry.h"
#include "core/wavefront/rule.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace seedwave {

/// Propagates the nearest background voxel known to a cell. The state holds the squared distance in
/// its upper half and the voxel's offset in its lower half.
///
/// The rule is not monotone, unlike a WavefrontRule with a unique result: a cell that learns of a
/// nearer voxel forgets one that a neighbour may have needed. So the order of work matters, and the
/// result may be too large. It still terminates, because states only fall.
struct NearestVoxelRule {
  /// Packing of squared distances: as integers up to 32 bits, otherwise as f32, whose bits increase
  /// with the value.
  enum class Packing { Whole, Rounded };
  using State = std::uint64_t;
  static constexpr State kNone = std::numeric_limits<State>::max();

  std::uint32_t columns;
  std::uint32_t slice;
  Vec3 weights;
  Packing packing;

  /// Returns the rule for 32-bit offsets. `weights` apply to the squared components of a step.
  [[nodiscard]] static NearestVoxelRule on(const Index3& size, const Vec3& weights) {
    double diagonal = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto n = static_cast<double>(size[axis]);
      diagonal += n * n * weights[axis];
    }
    return {static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[0] * size[1]),
            weights, diagonal < 4294967296.0 ? Packing::Whole : Packing::Rounded};
  }

  [[nodiscard]] SEEDWAVE_HD double square(std::uint32_t cell, std::uint32_t voxel) const {
    // Divisions dominate the cost. They are 32-bit, and those by `slice` are skipped in the first
    // slice.
    std::int64_t dz = 0;
    if (cell >= slice || voxel >= slice) {
      dz = std::int64_t{cell / slice} - std::int64_t{voxel / slice};
      cell %= slice;
      voxel %= slice;
    }
    const std::int64_t dy = std::int64_t{cell / columns} - std::int64_t{voxel / columns};
    const std::int64_t dx = std::int64_t{cell % columns} - std::int64_t{voxel % columns};
    return static_cast<double>(dx * dx) * weights[0] + static_cast<double>(dy * dy) * weights[1] +
           static_cast<double>(dz * dz) * weights[2];
  }
  [[nodiscard]] static SEEDWAVE_HD std::uint32_t voxel_of(State state) {
    return static_cast<std::uint32_t>(state);
  }
  [[nodiscard]] SEEDWAVE_HD State transfer(State from, const Edge& edge) const {
    if (from == kNone) return kNone;
    const double apart = square(static_cast<std::uint32_t>(edge.to), voxel_of(from));
    const std::uint32_t packed = packing == Packing::Whole
                                     ? static_cast<std::uint32_t>(apart)
                                     : std::bit_cast<std::uint32_t>(static_cast<float>(apart));
    return State{packed} << 32U | voxel_of(from);
  }
  [[nodiscard]] static SEEDWAVE_HD State join(State a, State b) { return a < b ? a : b; }
};

}  // namespace seedwave
