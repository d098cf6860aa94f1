// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/format.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace seedwave::io {

/// NRRD, voxels in the same file or one beside it, raw or gzip. Spaces LPS, RAS and LAS become LPS
/// here. A colour axis of 3 gives three components; any other axis that is not of space gives one
/// item for each of its places: time points, layers of a segmentation.
/// Source: Definition of NRRD File Format, teem.sourceforge.net/nrrd/format.html.
[[nodiscard]] Format nrrd_format();

/// Writes NRRD0005, gzip, space left-posterior-superior, all digits of the position.
/// Throws OutputError.
void write_nrrd(const std::filesystem::path& path, const Volume& volume);

}  // namespace seedwave::io
