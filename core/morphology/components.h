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
  static constexpr std::int64_t kNone = -1;

  /// Of each cell its component, 0 .. count - 1 in raster order of their first cells; kNone: in
  /// none.
  std::vector<std::int64_t> numbers;
  std::int64_t count = 0;
};

/// The regional maxima of an image within `objects`: connected cells of one value, none of which
/// has a higher neighbour. What is not object is no neighbour.
///
/// objects: u8 on the image's grid, 0 is background. By union-find, strips of rows on all threads.
/// Throws Cancelled.
[[nodiscard]] Components regional_maxima(const Volume& image, const Volume& objects,
                                         Connectivity connectivity, Context& context);

}  // namespace seedwave
