// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/formats/output_set.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace seedwave::io {

/// Returns the bytes of a file before its voxels: as few as possible for 0, else exactly `length`,
/// or none if that is too few.
using HeaderOfLength = std::function<std::string(std::size_t length)>;

/// Returns whether a volume's voxels lie in a file of their own, beyond memory (scratch_files.h).
[[nodiscard]] bool lies_in_file(const Volume& volume);

/// Adds a file that consists of a header and a volume's voxels as they are in memory, compressed if
/// its name ends in ".gz". Voxels that lie in a file of their own on the same file system are not
/// copied: their file becomes the output. Throws OutputError.
void write_voxels(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume,
                  const HeaderOfLength& header);

}  // namespace seedwave::io
