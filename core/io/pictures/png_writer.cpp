// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "core/io/pictures/png_format.h"

#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <png.h>
#include <string>

namespace seedwave::io {
namespace {

/// Rows of pixels in PNG's format: 8 or 16 bits, big endian.
struct Pixels {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int components = 1;
  int depth = 8;
  std::vector<std::uint8_t> bytes;
};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw OutputError("cannot write " + path.string() + ": " + reason);
}

Pixels pixels_of(const Volume& volume, const std::filesystem::path& path) {
  const Geometry& geometry = volume.geometry();
  check_png_grid(path, geometry);
  if (volume.type() == VoxelType::F32) {
    refuse(path,
           "a PNG holds whole numbers, but these values have fractions; choose .tif, .nii.gz or "
           ".nrrd");
  }
  const ValueRange range = value_range(volume);
  if (range.low < 0 || range.high > 65535) {
    refuse(path, "a PNG holds numbers from 0 to 65535, but these values go from " +
                     std::to_string(static_cast<std::int64_t>(range.low)) + " to " +
                     std::to_string(static_cast<std::int64_t>(range.high)) +
                     "; choose .tif, .nii.gz or .nrrd");
  }
  Pixels pixels{geometry.size[0],
                geometry.size[1],
                volume.components(),
                volume.type() == VoxelType::U8 ? 8 : 16,
                {}};
  pixels.bytes.reserve(static_cast<std::size_t>(volume.value_count() * pixels.depth / 8));
  visit_stored(volume, [&](auto values) {
    for (const auto value : values) {
      const auto number = static_cast<std::uint16_t>(value);
      if (pixels.depth == 16) pixels.bytes.push_back(static_cast<std::uint8_t>(number >> 8U));
      pixels.bytes.push_back(static_cast<std::uint8_t>(number & 0xffU));
    }
  });
  return pixels;
}

/// A tile of nuclei with their outlines takes a quarter of the time of libpng's usual level 6, and
/// an eighth more bytes.
constexpr int kLevel = 2;

/// Encodes with libpng into memory. It reports errors by longjmp, so encode_step holds nothing to
/// destroy.
class PngEncoder {
 public:
  explicit PngEncoder(const Pixels& pixels) : pixels_(pixels) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, fail, warn);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_write_struct(&png_, nullptr);
      throw std::bad_alloc();
    }
  }
  ~PngEncoder() { png_destroy_write_struct(&png_, &info_); }
  PngEncoder(const PngEncoder&) = delete;
  PngEncoder& operator=(const PngEncoder&) = delete;

  [[nodiscard]] bool encode() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    encode_step();
    return true;
  }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] const char* message() const noexcept { return message_.data(); }

 private:
  void encode_step() {
    png_set_write_fn(png_, this, give, nullptr);
    // The largest sides of the format; libpng's own limit is a million.
    png_set_user_limits(png_, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(pixels_.width),
                 static_cast<png_uint_32>(pixels_.height), pixels_.depth,
                 pixels_.components == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png_, kLevel);
    png_write_info(png_, info_);
    const std::size_t row = pixels_.bytes.size() / static_cast<std::size_t>(pixels_.height);
    for (std::size_t y = 0; y < static_cast<std::size_t>(pixels_.height); ++y)
      png_write_row(png_, pixels_.bytes.data() + y * row);
    png_write_end(png_, info_);
  }

  static void give(png_structp png, png_bytep from, std::size_t count) {
    static_cast<PngEncoder*>(png_get_io_ptr(png))
        ->bytes_.append(reinterpret_cast<const char*>(from), count);
  }
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    auto& text = static_cast<PngEncoder*>(png_get_error_ptr(png))->message_;
    std::strncpy(text.data(), message, text.size() - 1);
    png_longjmp(png, 1);
  }
  static void warn(png_structp /*png*/, png_const_charp /*message*/) {}

  const Pixels& pixels_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string bytes_;
  std::array<char, 128> message_{};
};

}  // namespace

void check_png_grid(const std::filesystem::path& path, const Geometry& geometry) {
  if (geometry.is_2d()) return;
  refuse(path, "a PNG holds one slice, but this volume has " + std::to_string(geometry.size[2]) +
                   "; choose .nii.gz, .nrrd, .mha or .tif");
}

void write_png(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume) {
  const Pixels pixels = pixels_of(volume, path);
  PngEncoder encoder(pixels);
  if (!encoder.encode()) refuse(path, encoder.message());
  outputs.add(path, encoder.bytes());
}

}  // namespace seedwave::io
