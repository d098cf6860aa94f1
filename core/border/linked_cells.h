// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/band.h"
#include "core/image/geometry.h"

#include <cstdint>
#include <vector>

namespace seedwave::border {

/// Marks the voxels that a chain of face neighbours among them links with a start, and the starts:
/// 1, else 0. Ends of rows are not told from their middles, so a few more may be marked.
///
/// cells: sorted by offset, fewer than 2^31. starts: offsets of some of them, sorted.
[[nodiscard]] std::vector<std::uint8_t> linked_with(const std::vector<BandCell>& cells,
                                                    const Geometry& geometry,
                                                    const std::vector<std::int64_t>& starts);

}  // namespace seedwave::border
