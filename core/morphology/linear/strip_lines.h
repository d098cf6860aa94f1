// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/line_family.h"

#include <array>
#include <cstdint>
#include <vector>

/// Lines in the form that strips follow: along y or z, so adjacent lines are adjacent along x, as
/// cells are in memory.
namespace seedwave::linear {

/// The lines of one direction, in a grid in which they are longest along y or z.
struct StripLines {
  int major;
  std::array<std::vector<std::int32_t>, 3> shifts;
  Index3 first_base;
  Index3 last_base;
  /// Set if lines run down the major axis, which exchanges the margins before and after a line.
  bool backwards = false;
};

/// Returns the lines of a family that is longest along y or z.
[[nodiscard]] StripLines strip_lines(const LineFamily& family);
/// Returns the lines of a family that is longest along x, in an image with x and y exchanged.
[[nodiscard]] StripLines turned_strip_lines(const LineFamily& family);

/// Returns whether lines run along one axis only.
[[nodiscard]] bool is_straight(const LineFamily& family);
/// Returns whether lines run equally along x and y, so that they can also be followed along y.
[[nodiscard]] bool is_diagonal(const LineFamily& family);
[[nodiscard]] StripLines diagonals_along_y(const LineFamily& family);

}  // namespace seedwave::linear
