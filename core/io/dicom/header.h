// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/image/geometry.h"
#include "core/io/dicom/file_structure.h"
#include "core/io/image_source.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seedwave::io::dicom {

enum class Photometric {
  Monochrome1,
  Monochrome2,
  Palette,
  Rgb,
  YbrFull,
  YbrFull422,
  YbrReversible
};

enum class Compression { None, Rle, Jpeg, JpegLs, Jpeg2000 };

/// The storage of one frame's values. Checked: the members are consistent with each other and with
/// the file's size.
struct PixelLayout {
  int columns = 0;
  int rows = 0;
  int samples = 1;         // 1 or 3
  int bits_allocated = 8;  // 8 or 16
  int bits_stored = 8;
  int high_bit = 7;
  bool is_signed = false;
  bool planar = false;  // RRR...GGG...BBB... instead of RGBRGB...
  Photometric photometric = Photometric::Monochrome2;
  Compression compression = Compression::None;

  [[nodiscard]] std::int64_t pixels() const noexcept { return std::int64_t{columns} * rows; }
  [[nodiscard]] std::int64_t values() const noexcept { return pixels() * samples; }
  /// Returns the bytes of one uncompressed frame.
  [[nodiscard]] std::int64_t native_bytes() const noexcept;
  /// Returns 3 for colour, palettes included.
  [[nodiscard]] int components() const noexcept {
    return samples == 3 || photometric == Photometric::Palette ? 3 : 1;
  }
};

/// value = slope * stored + intercept.
struct Rescale {
  double slope = 1.0;
  double intercept = 0.0;
  friend bool operator==(const Rescale&, const Rescale&) = default;
};

/// An attribute that may distinguish images at one position: "echo", "time point".
struct Discriminator {
  const char* name = "";
  std::string value;  // "" if it is not stated
};

/// One image of a file, in most cases a slice.
struct Frame {
  int number = 0;                                      // from 0
  std::optional<Vec3> position;                        // centre of the first pixel
  std::optional<std::array<Vec3, 2>> orientation;      // along a row, along a column; orthonormal
  std::optional<std::array<double, 2>> pixel_spacing;  // between columns, between rows
  double thickness = 0.0;                              // 0: unknown
  double between_slices = 0.0;                         // 0: unknown
  Rescale rescale;
  std::string unit;
  std::vector<WindowPreset> windows;
  /// The kind of image in a multi-frame file ("M", "FIELD_MAP"), or "" if it is not stated.
  std::string kind;
  /// Attributes that may distinguish images at one position, in the order in which they are tried;
  /// the same names for all frames.
  std::vector<Discriminator> discriminators;
  std::int64_t instance = 0;
};

/// The three tables of a palette, 256 shades each.
struct Palette {
  int first = 0;  // the stored value of the first entry
  std::vector<std::array<std::uint8_t, 3>> entries;
};

/// The location of the values in the file.
struct PixelPlace {
  bool big_endian = false;
  bool encapsulated = false;
  std::string transfer_syntax;
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  /// The data set of a deflated file, else null.
  std::shared_ptr<const std::vector<std::uint8_t>> inflated;
};

/// The header of one DICOM image file.
struct Header {
  std::filesystem::path file;
  std::string instance_uid;
  std::string series_uid;
  std::string study_uid;
  std::int64_t series_number = 0;
  std::string modality;
  std::string description;
  std::string patient;
  PixelLayout layout;
  PixelPlace place;
  std::optional<Palette> palette;
  int frame_count = 1;
  /// All frames; of a film without positions only the first.
  std::vector<Frame> frames;
  std::vector<std::string> warnings;
};

/// Thrown for a file of a slide: it is read by slide_file.h.
class SlideObject : public InputError {
 public:
  SlideObject() : InputError("a whole-slide microscopy object, not a volume or a single image") {}
};

/// Reads a file's header, up to the pixel data, through DCMTK.
/// Throws SlideObject, and InputError without the file's name: not an image, an unsupported kind,
/// damaged.
[[nodiscard]] Header read_header(const std::filesystem::path& file);

}  // namespace seedwave::io::dicom
