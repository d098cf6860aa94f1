// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <cstdint>
#include <span>
#include <vector>

namespace seedwave::io::dicom {

/// Converts RRR...GGG...BBB... to RGBRGB...
[[nodiscard]] std::vector<std::int32_t> interleave(std::span<const std::int32_t> planes);

/// Converts native YBR_FULL_422, two pixels as Y Y Cb Cr, to one Y Cb Cr per pixel (PS3.3,
/// C.7.6.3.1.2).
[[nodiscard]] std::vector<std::int32_t> unpack_422(std::span<const std::int32_t> values,
                                                   const PixelLayout& layout);

/// Converts YBR_FULL of 8 bits to RGB in place, rounded to nearest (PS3.3, C.7.6.3.1.2).
void ybr_to_rgb(std::span<std::int32_t> values);

/// Converts palette indices to RGB; indices outside take the nearest entry (PS3.3, C.7.6.3.1.5).
[[nodiscard]] std::vector<std::int32_t> apply_palette(std::span<const std::int32_t> indices,
                                                      const Palette& palette);

}  // namespace seedwave::io::dicom
