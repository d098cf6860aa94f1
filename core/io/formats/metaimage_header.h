// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/axes.h"
#include "core/io/formats/raw_voxels.h"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

/// The fields of a MetaImage header that Seedwave uses.
struct MetaImageHeader {
  std::vector<std::int64_t> size;
  /// Set if the file states spacing, offset or axes; otherwise they are 1, 0 and parallel.
  bool has_position = false;
  StoredType type = StoredType::U8;
  std::int64_t channels = 1;
  std::vector<double> spacing;
  std::vector<double> offset;
  /// Directions of the axes, row by row, as in the file.
  std::vector<double> matrix;
  std::string unit;
  bool compressed = false;
  std::endian order = std::endian::little;
  /// Bytes before the voxels in their file, counted from its beginning even if the header comes
  /// first. 0: the voxels follow the header, or begin their own file; -1: they are at its end.
  std::int64_t header_size = 0;
  /// "LOCAL" if the voxels follow the header.
  std::string voxel_file;
  /// Length of the header in bytes, with its last line.
  std::int64_t length = 0;
};

/// Returns whether a file starts like a MetaImage header.
[[nodiscard]] bool is_metaimage_header(std::string_view text);

/// Parses the text at the start of the file, up to ElementDataFile. Throws InputError that names
/// `file` and the field.
[[nodiscard]] MetaImageHeader parse_metaimage_header(std::string_view text,
                                                     const std::string& file);

}  // namespace seedwave::io
