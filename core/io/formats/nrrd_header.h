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

/// A position or step in the space of the file, with as many numbers as that has dimensions.
using NrrdVector = std::vector<double>;

/// One axis of an NRRD array, the fastest first.
struct NrrdAxis {
  std::int64_t size = 0;
  std::string kind;
  std::optional<double> spacing;
  std::optional<NrrdVector> direction;
  /// Set if the axis is outside space: "none" among the directions, or such a kind.
  bool outside_space = false;
};

/// The fields of an NRRD header that Seedwave uses.
struct NrrdHeader {
  std::vector<NrrdAxis> axes;
  StoredType type = StoredType::U8;
  Packing packing = Packing::None;
  std::endian order = std::endian::little;
  std::string space;
  /// 4 if the fourth dimension is time: its axis is then outside space, and directions and origin
  /// still have three numbers. 0 if it is not stated.
  std::int64_t space_dimension = 0;
  std::optional<NrrdVector> origin;
  std::string content;
  /// The file with the voxels; "" if they follow the header.
  std::string voxel_file;
  std::int64_t line_skip = 0;
  std::int64_t byte_skip = 0;
  /// Length of the header in bytes, with the empty line that ends it.
  std::int64_t length = 0;
};

/// Parses the text at the start of an NRRD file. Throws InputError that names `file` and the field.
[[nodiscard]] NrrdHeader parse_nrrd_header(std::string_view text, const std::string& file);

}  // namespace seedwave::io
