// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <cstdint>
#include <string>
#include <vector>

class DcmItem;

namespace seedwave::io::dicom {

/// How the pixels are stored, each attribute checked by itself and against the others. What can be
/// assumed is, with a warning. Throws InputError, naming attribute and value.
[[nodiscard]] PixelLayout read_layout(DcmItem& dataset, Compression compression,
                                      std::vector<std::string>& warnings);

/// NumberOfFrames, 1 where absent. Throws InputError.
[[nodiscard]] int read_frame_count(DcmItem& dataset);

/// Throws InputError when `frames` frames that are not compressed need more than `bytes`, or when
/// YBR_FULL_422 comes with pixel data that are not subsampled.
void check_native_size(const PixelLayout& layout, int frames, std::uint64_t bytes);

/// Throws InputError when `frames` frames would be more than kMostExpansion times their `bytes` of
/// compressed data, and more than kAlwaysExpanded: no picture compresses so well, but a lie does.
void check_expansion(const PixelLayout& layout, int frames, std::uint64_t bytes);
inline constexpr std::int64_t kMostExpansion = 1000;
inline constexpr std::int64_t kAlwaysExpanded = std::int64_t{256} << 20;

/// Throws InputError when 32-bit floating point cannot hold what the rescale gives: values would be
/// infinite or all the same.
void check_rescale(const PixelLayout& layout, const Rescale& rescale);

/// The tables of a PALETTE COLOR image, as 8 bits. Throws InputError: absent, too short, segmented.
[[nodiscard]] Palette read_palette(DcmItem& dataset);

}  // namespace seedwave::io::dicom
