// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <string>

namespace seedwave {

/// In what people read lengths on a grid: pixels (in a volume voxels) where nothing is known of a
/// pixel's size, micrometres where the pixels are a microscope's, else millimetres.
///
/// Only what is read: coordinates, files and values stay in units of the grid.
struct LengthScale {
  std::string symbol;  // "px", "voxels", "µm", "mm"
  std::string plural;  // "pixels", "voxels", "micrometres", "millimetres"
  /// How many of it are one unit of the grid.
  double per_unit = 1.0;
};

/// Of a picture the third spacing counts for nothing.
[[nodiscard]] LengthScale length_scale(const Geometry& geometry);

/// The unit of the grid itself, of its spacing and what is measured by it: "px", "voxels" or "mm".
[[nodiscard]] std::string grid_unit(const Geometry& geometry);

}  // namespace seedwave
