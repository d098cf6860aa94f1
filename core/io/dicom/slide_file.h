// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/dicom/header.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// The place of a frame among the tiles of its level.
struct TilePlace {
  std::int64_t column = 0;  // in tiles
  std::int64_t row = 0;
  int optical_path = 0;
};

/// One DICOM file of a slide: tiles of a level, or a picture beside the levels.
struct SlideFile {
  Header header;  // without frames
  /// The flavour that ImageType states: "VOLUME", "THUMBNAIL", "LABEL" or "OVERVIEW".
  std::string flavor;
  /// Size of the level.
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  std::optional<std::array<double, 2>> spacing;  // of its pixels in mm, along x and y
  std::optional<double> objective;
  /// Names of the optical paths, one channel each.
  std::vector<std::string> optical_paths;
  /// The colour profile (ICC) of the first path that has one; else empty.
  std::vector<std::uint8_t> color_profile;
  /// By frame; empty for frames of other focal planes than the first.
  std::vector<std::optional<TilePlace>> places;
};

/// Reads the header of a slide's file (PS3.3, A.32.8): TILED_FULL or TILED_SPARSE, and files of a
/// concatenation. Throws InputError without the file's name.
[[nodiscard]] SlideFile read_slide_file(const std::filesystem::path& file);

}  // namespace seedwave::io::dicom
