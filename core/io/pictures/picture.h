// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io {

/// The header of an image file, read before any pixel.
struct PictureHeader {
  std::int64_t width = 0;
  std::int64_t height = 0;
  VoxelType type = VoxelType::U8;
  int components = 1;
  std::vector<std::string> warnings;
};

/// Returns the grid of an image in pixels without position. Throws InputError for impossible sizes.
[[nodiscard]] Geometry picture_grid(std::int64_t width, std::int64_t height,
                                    const std::string& file);

/// Returns the one item of an image file.
[[nodiscard]] Item picture_item(const std::filesystem::path& file, const std::string& format,
                                const PictureHeader& header);

/// Throws InputError if an image claims more than `most_per_byte` bytes of pixels for each byte of
/// its file.
void check_picture_size(const PictureHeader& header, std::int64_t file_bytes,
                        std::int64_t most_per_byte, const std::string& file);

/// Throws UnavailableError if there is not enough memory for the pixels. For loads only: any
/// machine can read a header.
void require_picture_memory(const PictureHeader& header, const std::string& file);

/// Returns the pixels of an image from bytes in memory order of `header`'s type.
[[nodiscard]] Volume picture_volume(const PictureHeader& header, const Geometry& grid,
                                    const std::vector<std::uint8_t>& bytes);

}  // namespace seedwave::io
