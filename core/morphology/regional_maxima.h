// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The regional maxima of an image, numbered, by cell.
struct NumberedMaxima {
  static constexpr std::uint32_t kNone = 0;

  /// The maximum that holds each cell, 1 .. count in raster order of their first cells, or kNone.
  std::vector<std::uint32_t> numbers;
  std::uint32_t count = 0;
};

/// Finds the regional maxima of an image within `objects`: connected cells of equal value, none of
/// which has a higher neighbour. Background cells are not neighbours.
///
/// `objects` is u8 on the image's grid; 0 is background. Numbers plateaus in strips of rows on all
/// threads, and joins them by union-find. Moves through the images in order. Takes 4 bytes per cell
/// besides them, and 9 per plateau, alone on a slope not counted. Throws InputError if there are
/// 2^32 maxima or more. Throws Cancelled.
[[nodiscard]] NumberedMaxima regional_maxima(const Volume& image, const Volume& objects,
                                             Connectivity connectivity, Context& context);

}  // namespace seedwave
