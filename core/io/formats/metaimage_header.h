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
  /// Row by row the directions of the axes, as the file has them.
  std::vector<double> matrix;
  std::string unit;
  bool compressed = false;
  std::endian order = std::endian::little;
  /// Bytes before the voxels in their file, counted from its beginning even where the header comes
  /// first; 0: they follow the header, or begin the file of their own; -1: they are its end.
  std::int64_t header_size = 0;
  /// "LOCAL" where the voxels follow the header.
  std::string voxel_file;
  /// Bytes of the header with its last line.
  std::int64_t length = 0;
};

/// True when a file starts like a MetaImage header.
[[nodiscard]] bool is_metaimage_header(std::string_view text);

/// Parses the text at the start of the file, up to ElementDataFile. Throws InputError that names
/// `file` and the field.
[[nodiscard]] MetaImageHeader parse_metaimage_header(std::string_view text,
                                                     const std::string& file);

}  // namespace seedwave::io
