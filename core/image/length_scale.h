// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <optional>
#include <string>

namespace seedwave {

/// The unit in which people read lengths on a grid: pixels (voxels in a volume) if the pixel size
/// is unknown, micrometres for a microscope's pixels, else millimetres.
///
/// It is for display only: coordinates, files and values stay in units of the grid.
struct LengthScale {
  std::string symbol;  // "px", "voxels", "µm", "mm"
  std::string plural;  // "pixels", "voxels", "micrometres", "millimetres"
  /// Number of these units per unit of the grid.
  double per_unit = 1.0;
};

/// Micrometres of a pixel, of a slide or of the screen, at a magnification of 1, by custom: 0.5 at
/// 20, 0.25 at 40.
inline constexpr double kMicrometresAtOne = 10.0;

/// Returns the scale of a grid. For a 2-D image the third spacing is ignored.
[[nodiscard]] LengthScale length_scale(const Geometry& geometry);

/// Returns the micrometres that a pixel spans along its finer side, of an image under the
/// microscope; nothing for other images.
[[nodiscard]] std::optional<double> micrometres_per_pixel(const Geometry& geometry);

/// Returns the unit of the grid itself, of its spacing and of measurements on it: "px", "voxels",
/// "µm" or "mm".
[[nodiscard]] std::string grid_unit(const Geometry& geometry);

}  // namespace seedwave
