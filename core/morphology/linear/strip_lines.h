// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/linear/line_family.h"

#include <array>
#include <cstdint>
#include <vector>

/// Lines as strips follow them: along y or z, so that beside each other they lie along x, as cells
/// do in memory.
namespace seedwave::linear {

/// Where lines of one direction go, in a grid in which they are longest along y or z.
struct StripLines {
  int major;
  std::array<std::vector<std::int32_t>, 3> shifts;
  Index3 first_base;
  Index3 last_base;
  /// They run down the major axis: what is in front of a line lies behind it.
  bool backwards = false;
};

/// Those of a family that is longest along y or z.
[[nodiscard]] StripLines strip_lines(const LineFamily& family);
/// Those of a family that is longest along x, in an image whose x and y have changed places.
[[nodiscard]] StripLines turned_strip_lines(const LineFamily& family);

/// Whether lines run along one axis alone.
[[nodiscard]] bool is_straight(const LineFamily& family);
/// Whether lines run along x and as much along y: then they can be followed along y as well.
[[nodiscard]] bool is_diagonal(const LineFamily& family);
[[nodiscard]] StripLines diagonals_along_y(const LineFamily& family);

}  // namespace seedwave::linear
