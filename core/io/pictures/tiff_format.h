// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"
#include "core/io/formats/output_set.h"

#include <filesystem>

namespace seedwave::io {

/// TIFF and BigTIFF through libtiff: grayscale of 1 to 32 bits, integers or floating point, colour,
/// palettes; in strips or tiles. 0 is black whatever the file says. Pages of one size and type are
/// the slices of a volume, others are items of their own; reduced copies of a page are left out.
[[nodiscard]] Format tiff_format();

/// Writes one page per slice, deflate. Throws OutputError.
void write_tiff(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);

}  // namespace seedwave::io
