// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/fixed_voxels.h"
#include "core/image/label_color.h"
#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/phases.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The distinct colours of an image.
namespace seedwave {

/// A colour as a number, 0 .. 2^24 - 1, with red in the highest byte.
using ColourCode = std::uint32_t;
inline constexpr std::size_t kColourCodes = std::size_t{1} << 24;

[[nodiscard]] constexpr ColourCode code_of(const std::uint8_t* rgb) noexcept {
  return ColourCode{rgb[0]} << 16 | ColourCode{rgb[1]} << 8 | ColourCode{rgb[2]};
}
[[nodiscard]] constexpr Rgb colour_of(ColourCode code) noexcept {
  return {static_cast<std::uint8_t>(code >> 16), static_cast<std::uint8_t>(code >> 8),
          static_cast<std::uint8_t>(code)};
}

struct ColourCounts {
  /// In ascending order.
  std::vector<ColourCode> colours;
  /// Number of pixels of each colour.
  std::vector<std::int64_t> counts;
};
[[nodiscard]] ColourCounts count_colours(std::span<const std::uint8_t> rgb, Context& context);
/// The same of some pixels; their labels do not matter.
[[nodiscard]] ColourCounts count_colours(std::span<const std::uint8_t> rgb,
                                         std::span<const LabelRun> pixels, Context& context);

/// Returns the coordinates of each colour for k-means: see Stains.
[[nodiscard]] Points places_of(const ColourCounts& colours, Stains stains, Context& context);

/// Groups colours that are equal without their lowest bits. Drops as few bits as leave at most
/// `most` groups.
struct ColourCells {
  /// The mean coordinates of the colours in each group, weighted by their frequency.
  Points places;
  std::vector<std::int64_t> counts;
};
[[nodiscard]] ColourCells cells_of(const ColourCounts& colours, const Points& places,
                                   std::int64_t most);

}  // namespace seedwave
