// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/formats/format.h"
#include "core/io/pictures/tiff_file.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seedwave::io {

/// The image of the current directory of a TIFF.
struct TiffPage {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int bits = 8;
  /// Number of stored values per pixel, transparency included.
  int samples = 1;
  int sample_format = 1;  // SAMPLEFORMAT_UINT
  int photometric = 1;    // PHOTOMETRIC_MINISBLACK
  int compression = 1;    // COMPRESSION_NONE
  bool tiled = false;
  bool planar = false;
  /// Set for a smaller copy of another page, or a mask: not an image of its own.
  bool is_copy = false;
  /// Set for colours that libtiff itself converts to RGB of 8 bits: YCbCr, CMYK, Lab.
  bool through_rgba = false;

  /// The type in which it is read.
  VoxelType type = VoxelType::U8;
  int components = 1;
  friend bool operator==(const TiffPage&, const TiffPage&) = default;
};

/// Reads the current directory's header. Throws InputError that names `file` for unsupported pages.
[[nodiscard]] TiffPage read_tiff_page(TiffFile& tiff, std::int64_t file_bytes,
                                      const std::string& file);

/// Damage to the pixels of a page, in libtiff's words; "" if there is none.
struct TiffDamage {
  std::string reason{};
  /// Set if nothing could be decoded.
  bool is_all = false;
};

/// Appends the pixels of the current directory, in the page's type, to `values`; strips and tiles
/// that cannot be decoded are 0. T must be the page's type. Throws InputError, Cancelled.
template <typename T>
[[nodiscard]] TiffDamage read_tiff_pixels(TiffFile& tiff, const TiffPage& page, Palette palette,
                                          const std::string& file, std::vector<T>& values,
                                          Context& context);

}  // namespace seedwave::io
