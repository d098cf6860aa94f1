// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/io/dicom/stacks.h"

#include <span>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Positions of the slices of a stack, and whether they form a grid.
struct Placement {
  /// The grid; for an uneven stack, the first slice's position with the usual step.
  Geometry geometry;
  /// Position of each slice along the normal, in mm.
  std::vector<double> positions;
  /// Set if the slices are evenly spaced along the normal.
  bool even = true;
  /// Set if each slice lies above the other along the normal. Otherwise the gantry was tilted, or
  /// the slices are shifted against each other.
  bool upright = true;
  /// The findings in plain words. If the stack cannot be loaded as it is, the last one says why.
  std::vector<std::string> warnings;

  [[nodiscard]] bool is_grid() const noexcept { return even && upright; }
};

/// Evenness is judged by the distance from the straight line through the positions: within
/// kEvenShare of a step no warning, within kUnevenShare a warning, beyond it the stack is not even.
inline constexpr double kEvenShare = 0.02;
inline constexpr double kUnevenShare = 0.1;
/// Slices may be shifted in their plane by this share of a pixel and still count as upright.
inline constexpr double kUprightShare = 0.2;

/// Returns the placement. The slices must be sorted along their normal, have geometry, and lie at
/// distinct positions.
[[nodiscard]] Placement place_slices(const std::vector<Slice>& slices);

/// A run of slices: first .. first + count - 1.
struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Returns the longest run of slices with even distances, the lowest of equally long ones.
[[nodiscard]] Block longest_even_block(std::span<const double> positions);

/// Returns the grid that holds all slices, upright and evenly spaced, at about the usual step, for
/// resampling. It includes corners that no slice covers.
[[nodiscard]] Geometry even_grid(const std::vector<Slice>& slices);

}  // namespace seedwave::io::dicom
