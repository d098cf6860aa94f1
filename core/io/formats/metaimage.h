// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"
#include "core/io/formats/output_set.h"

#include <filesystem>

namespace seedwave::io {

/// MetaImage, voxels in the same file (.mha) or one beside it (.mhd), uncompressed or zlib.
/// Positions are LPS, as ITK writes them. Two dimensions are an image; a fourth is time. Three
/// components are colours; for any other number each component is an item. Source: MetaIO's
/// documentation, itk.org/Wiki/ITK/MetaIO/Documentation.
[[nodiscard]] Format metaimage_format();

/// Writes .mha, uncompressed, with all digits of the position. Throws OutputError.
void write_metaimage(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume);

}  // namespace seedwave::io
