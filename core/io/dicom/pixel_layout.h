// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <cstdint>
#include <string>
#include <vector>

class DcmItem;

namespace seedwave::io::dicom {

/// Returns the storage of the pixels. Each attribute is checked by itself and against the others;
/// missing ones are assumed, with a warning, if possible. Throws InputError that names attribute
/// and value.
[[nodiscard]] PixelLayout read_layout(DcmItem& dataset, Compression compression,
                                      std::vector<std::string>& warnings);

/// Returns NumberOfFrames, or 1 if it is absent. Throws InputError.
[[nodiscard]] int read_frame_count(DcmItem& dataset);

/// Throws InputError if `frames` uncompressed frames need more than `bytes`, or if YBR_FULL_422
/// comes with pixel data that are not subsampled.
void check_native_size(const PixelLayout& layout, int frames, std::uint64_t bytes);

/// Throws InputError if `frames` frames are more than kMostExpansion times their `bytes` of
/// compressed data, and more than kAlwaysExpanded: no real image compresses so well.
void check_expansion(const PixelLayout& layout, int frames, std::uint64_t bytes);
inline constexpr std::int64_t kMostExpansion = 1000;
inline constexpr std::int64_t kAlwaysExpanded = std::int64_t{256} << 20;

/// Throws InputError if 32-bit floating point cannot hold the rescaled values: they would be
/// infinite or all the same.
void check_rescale(const PixelLayout& layout, const Rescale& rescale);

/// Returns the tables of a PALETTE COLOR image as 8 bits. Throws InputError: absent, too short,
/// segmented.
[[nodiscard]] Palette read_palette(DcmItem& dataset);

}  // namespace seedwave::io::dicom
