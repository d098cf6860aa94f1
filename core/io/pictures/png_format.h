// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"
#include "core/io/formats/output_set.h"

#include <filesystem>

namespace seedwave::io {

/// PNG through libpng: grayscale of 1 to 16 bits with the values as stored (1 bit: 0 and 1), colour
/// of 8 or 16 bits, palettes as colours or as their numbers. Transparency is dropped with a
/// warning.
[[nodiscard]] Format png_format();

/// Throws OutputError for volumes of several slices.
void check_png_grid(const std::filesystem::path& path, const Geometry& geometry);

/// Writes grayscale or colour of 8 bits, or of 16 if the values need them. Throws OutputError for
/// volumes, fractions, and values outside 0..65535.
void write_png(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);

}  // namespace seedwave::io
