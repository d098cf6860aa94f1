// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/io/dicom/stacks.h"

#include <span>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// Where the slices of a stack lie, and whether they make a grid.
struct Placement {
  /// The grid; of an uneven stack: the first slice's place and the usual step.
  Geometry geometry;
  /// Each slice's place along the normal, in mm.
  std::vector<double> positions;
  /// Evenly spaced along the normal.
  bool even = true;
  /// The slices lie one above the other along the normal; else the gantry was tilted, or they are
  /// shifted against each other.
  bool upright = true;
  /// What was found, in plain words; the last one says why where it cannot be loaded as it is.
  std::vector<std::string> warnings;

  [[nodiscard]] bool is_grid() const noexcept { return even && upright; }
};

/// Evenness is judged against the straight line through the places: within kEvenShare of a step it
/// is silent, within kUnevenShare it is a warning, beyond it the stack is not even.
inline constexpr double kEvenShare = 0.02;
inline constexpr double kUnevenShare = 0.1;
/// Slices may be shifted in their plane by this share of a pixel and still be upright.
inline constexpr double kUprightShare = 0.2;

/// The slices must be sorted along their normal, have geometry, and lie at distinct places.
[[nodiscard]] Placement place_slices(const std::vector<Slice>& slices);

/// A run of slices: first .. first + count - 1.
struct Block {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The longest run of slices with even distances, the lowest of equal ones.
[[nodiscard]] Block longest_even_block(std::span<const double> positions);

/// The grid that holds all slices, upright and evenly spaced, at about the usual step: what
/// resampling them fills. Corners that no slice covers are inside of it.
[[nodiscard]] Geometry even_grid(const std::vector<Slice>& slices);

}  // namespace seedwave::io::dicom
