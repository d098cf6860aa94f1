// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/formats/raw_voxels.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {

/// A place or step in the space of the file: as many numbers as that has dimensions.
using NrrdVector = std::vector<double>;

/// One axis of an NRRD array, the fastest first.
struct NrrdAxis {
  std::int64_t size = 0;
  std::string kind;
  std::optional<double> spacing;
  std::optional<NrrdVector> direction;
  /// Said to be none of space: "none" among the directions, or a kind that says so.
  bool outside_space = false;
};

/// The fields of an NRRD header that Seedwave uses.
struct NrrdHeader {
  std::vector<NrrdAxis> axes;
  StoredType type = StoredType::U8;
  Packing packing = Packing::None;
  std::endian order = std::endian::little;
  std::string space;
  /// 4 where the fourth is time: its axis is then outside of space, and directions and origin have
  /// three numbers all the same. 0 where nothing is said.
  std::int64_t space_dimension = 0;
  std::optional<NrrdVector> origin;
  std::string content;
  /// The file with the voxels; "" where they follow the header.
  std::string voxel_file;
  std::int64_t line_skip = 0;
  std::int64_t byte_skip = 0;
  /// Bytes of the header with the empty line that ends it.
  std::int64_t length = 0;
};

/// Parses the text at the start of an NRRD file. Throws InputError that names `file` and the field.
[[nodiscard]] NrrdHeader parse_nrrd_header(std::string_view text, const std::string& file);

}  // namespace seedwave::io
