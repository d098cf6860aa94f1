// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// Which cells form the same component.
struct Components {
  static constexpr std::uint32_t kNone = 0;

  /// The component of each cell, 1 .. count in raster order of their first cells; kNone: in none.
  std::vector<std::uint32_t> numbers;
  std::uint32_t count = 0;
};

/// The regional maxima of an image within `objects`: connected cells of one value, none of which
/// has a higher neighbour. What is not object is no neighbour.
///
/// objects: u8 on the image's grid, 0 is background. By union-find, strips of rows on all threads.
/// Holds 9 bytes a cell beside both images (13 from 2^31 cells on).
/// Throws InputError where there are 2^32 maxima or more, and Cancelled.
[[nodiscard]] Components regional_maxima(const Volume& image, const Volume& objects,
                                         Connectivity connectivity, Context& context);

}  // namespace seedwave
