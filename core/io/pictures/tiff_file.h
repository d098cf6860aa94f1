// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/formats/format.h"
#include "core/parallel/context.h"

#include <array>
#include <cstdarg>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct tiff;

namespace seedwave::io {

/// An open TIFF that collects complaints instead of printing them.
class TiffFile {
 public:
  /// Throws InputError if it is not a TIFF.
  explicit TiffFile(const std::filesystem::path& file);
  /// Opens for writing to a descriptor, which is duplicated; `big` for more than 4 GB. Throws
  /// OutputError.
  TiffFile(int descriptor, const std::filesystem::path& file, bool big);
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  [[nodiscard]] tiff* get() const noexcept { return tiff_; }
  /// Returns libtiff's last error, or "".
  [[nodiscard]] std::string message() const { return said_->error.data(); }
  /// Returns the first relevant warning since forget(), or "".
  [[nodiscard]] std::string warning() const { return said_->warning.data(); }
  /// Forgets all messages so far.
  void forget() noexcept { *said_ = {}; }
  /// Finishes writing. Returns false if it failed.
  [[nodiscard]] bool close();

 private:
  /// Truncated if long: it is filled inside libtiff, through which no exception may pass.
  using Text = std::array<char, 256>;
  struct Said {
    Text error{};
    Text warning{};
    static int take_error(tiff* file, void* said, const char* module, const char* format,
                          std::va_list arguments) noexcept;
    static int take_warning(tiff* file, void* said, const char* module, const char* format,
                            std::va_list arguments) noexcept;
  };

  /// libtiff keeps its address.
  std::unique_ptr<Said> said_;
  tiff* tiff_ = nullptr;
};

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

/// The strips or tiles of a page: parts that are decoded as one.
struct TiffChunks {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
};
/// Returns those of the current directory. Throws InputError that names `file`.
[[nodiscard]] TiffChunks tiff_chunks(TiffFile& tiff, const TiffPage& page, const std::string& file);
/// Decodes one of them, of a page that is not `through_rgba`. Returns an empty volume if the file
/// stores nothing for it. Throws InputError without the file's name if its pixels cannot be
/// decoded, or only in part, or are wrapped.
[[nodiscard]] Volume read_tiff_chunk(TiffFile& tiff, const TiffPage& page, const TiffChunks& chunks,
                                     std::int64_t column, std::int64_t row);

/// Returns whether unsigned numbers of 32 bits did not fit into the signed ones as which they are
/// read.
[[nodiscard]] bool is_wrapped(const Volume& pixels, const TiffPage& page);
inline constexpr std::string_view kWrapped =
    "holds numbers beyond 2147483647: save it as 32-bit floating point";

/// Appends the pixels of the current directory, in the page's type, to `values`; strips and tiles
/// that cannot be decoded are 0. T must be the page's type. Throws InputError, Cancelled.
template <typename T>
[[nodiscard]] TiffDamage read_tiff_pixels(TiffFile& tiff, const TiffPage& page, ReadAs as,
                                          const std::string& file, std::vector<T>& values,
                                          Context& context);

}  // namespace seedwave::io
