// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

/// The encoding of a data set's elements.
struct ElementCoding {
  bool explicit_vr = true;
  bool big_endian = false;
};

/// A DICOM file up to its pixel data, checked to be safe for a recursive parser.
struct FileStructure {
  std::string transfer_syntax;
  ElementCoding coding;
  /// The data set's elements before the pixel data, in `coding` (inflated if the file is deflated).
  std::vector<std::uint8_t> header;

  /// Location of the pixel values or the first pixel item: in `inflated` if that is not empty, else
  /// in the file.
  bool has_pixels = false;
  /// Set for PixelData (7FE0,0010), not for its float forms.
  bool integer_pixels = false;
  bool encapsulated = false;
  std::uint64_t pixel_begin = 0;
  /// Number of bytes of native pixel data; for encapsulated data, of bytes up to the end of the
  /// file.
  std::uint64_t pixel_bytes = 0;
  /// The whole data set of a deflated file.
  std::vector<std::uint8_t> inflated;
};

/// Walks a file's elements without recursion and reads it up to its pixel data.
///
/// Every length is checked against its parent and the file's true size, and nesting is limited to
/// kMostNested, before anything of that size is allocated. A typical file costs one or two reads.
/// Throws InputError; its message does not name the file.
[[nodiscard]] FileStructure read_structure(const std::filesystem::path& file);

/// Deeper nesting of sequences is refused: DCMTK parses them by recursion, and no object of the
/// standard comes near this depth.
inline constexpr std::size_t kMostNested = 64;

/// Returns "12 bytes", for messages.
[[nodiscard]] std::string byte_count(std::uint64_t count);

}  // namespace seedwave::io::dicom
