// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// How the elements of a data set are written.
struct ElementCoding {
  bool explicit_vr = true;
  bool big_endian = false;
};

/// A DICOM file up to its pixel data, checked to be safe for a recursive parser.
struct FileStructure {
  std::string transfer_syntax;
  ElementCoding coding;
  /// The data set's elements before the pixel data, in `coding` (inflated where it was deflated).
  std::vector<std::uint8_t> header;

  /// Where the pixel values or the first pixel item lie; in `inflated` where that is not empty,
  /// else in the file.
  bool has_pixels = false;
  /// PixelData (7FE0,0010), not its float forms.
  bool integer_pixels = false;
  bool encapsulated = false;
  std::uint64_t pixel_begin = 0;
  /// Bytes of native pixel data; for encapsulated data the bytes to the end of the file.
  std::uint64_t pixel_bytes = 0;
  /// The whole data set of a deflated file.
  std::vector<std::uint8_t> inflated;
};

/// Walks through a file's elements without recursion and reads it up to its pixel data.
///
/// Every length is checked against its parent and the file's true size, and nesting is bounded by
/// kMostNested, before anything of that size is allocated. Costs one or two reads for a usual file.
/// Throws InputError; its message does not name the file.
[[nodiscard]] FileStructure read_structure(const std::filesystem::path& file);

/// Sequences within sequences beyond this are refused: DCMTK parses them by recursion, and no
/// object of the standard comes near.
inline constexpr std::size_t kMostNested = 64;

/// "12 bytes", for messages.
[[nodiscard]] std::string byte_count(std::uint64_t count);

}  // namespace seedwave::io::dicom
