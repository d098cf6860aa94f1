// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/tiff_file.h"

#include "core/base/checked_size.h"
#include "core/base/error.h"
#include "core/image/visit_type.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <tiffio.h>
#include <unistd.h>

namespace seedwave::io {
namespace {

/// Largest tile or strip; no real file comes near.
constexpr std::int64_t kMostChunk = std::int64_t{1} << 30;
/// A blank page compresses without limit; real ones stay far below.
constexpr std::int64_t kMostTiffPerByte = 100000;

template <typename T>
T field(tiff* tiff, std::uint32_t tag, T otherwise) {
  T value = otherwise;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw InputError(file + " holds an unsupported TIFF page: " + reason);
}

bool is_color_space(int photometric) {
  return photometric == PHOTOMETRIC_YCBCR || photometric == PHOTOMETRIC_SEPARATED ||
         photometric == PHOTOMETRIC_CIELAB || photometric == PHOTOMETRIC_ICCLAB ||
         photometric == PHOTOMETRIC_ITULAB;
}

/// Returns the type in which `bits` and the sample format are read.
VoxelType type_of(const TiffPage& page, const std::string& file) {
  if (page.sample_format == SAMPLEFORMAT_IEEEFP) {
    if (page.bits == 32 || page.bits == 64) return VoxelType::F32;
  } else if (page.sample_format == SAMPLEFORMAT_INT) {
    if (page.bits == 8 || page.bits == 16) return VoxelType::I16;
    if (page.bits == 32) return VoxelType::I32;
  } else {
    if (page.bits == 1 || page.bits == 2 || page.bits == 4 || page.bits == 8) return VoxelType::U8;
    if (page.bits == 16) return VoxelType::U16;
    if (page.bits == 32) return VoxelType::I32;
  }
  refuse(file,
         "it has " + std::to_string(page.bits) + " bits per value; 1 to 16, and 32, are supported");
}

/// Throws unless the strips or tiles that the header states may be read at all.
void check_size(const TiffPage& page, tiff* tiff, std::int64_t file_bytes,
                const std::string& file) {
  const CheckedSize bits = CheckedSize(page.width) * page.height * page.samples * page.bits;
  const CheckedSize most =
      CheckedSize(file_bytes) * 8 * (page.compression == COMPRESSION_NONE ? 1 : kMostTiffPerByte);
  if (!bits.fits(most.value().value_or(std::numeric_limits<std::int64_t>::max()))) {
    throw InputError(file + " is truncated or its header is wrong: the header describes " +
                     std::to_string(page.width) + " x " + std::to_string(page.height) +
                     " pixels, more than the file contains");
  }
  const std::uint64_t chunk = page.tiled ? TIFFTileSize64(tiff) : TIFFStripSize64(tiff);
  if (chunk == 0 || chunk > static_cast<std::uint64_t>(kMostChunk)) {
    refuse(file, "its strips or tiles are too large");
  }
}

/// The place of a strip or tile among the pixels.
struct Chunk {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  /// The one sample that the chunk holds of each pixel; -1: all samples, side by side.
  int sample = -1;
};

/// Reads numbers from packed bytes in the machine's byte order.
class Samples {
 public:
  Samples(const TiffPage& page, std::span<const std::uint8_t> bytes) : page_(page), bytes_(bytes) {}

  /// Returns a number of a row. `row` is the byte at which it begins; `index` counts its numbers.
  template <typename T>
  [[nodiscard]] T get(std::size_t row, std::size_t index) const {
    switch (page_.bits) {
      case 8:
        if (page_.sample_format == SAMPLEFORMAT_INT)
          return static_cast<T>(load<std::int8_t>(row + index));
        return static_cast<T>(bytes_[row + index]);
      case 16:
        if (page_.sample_format == SAMPLEFORMAT_INT)
          return static_cast<T>(load<std::int16_t>(row + 2 * index));
        return static_cast<T>(load<std::uint16_t>(row + 2 * index));
      case 32:
        if (page_.sample_format == SAMPLEFORMAT_IEEEFP)
          return static_cast<T>(load<float>(row + 4 * index));
        return static_cast<T>(load<std::int32_t>(row + 4 * index));
      case 64:
        return static_cast<T>(load<double>(row + 8 * index));
      default:
        break;
    }
    // 1, 2 or 4 bits, the highest first.
    const std::size_t at = index * static_cast<std::size_t>(page_.bits);
    const unsigned shift = 8U - static_cast<unsigned>(page_.bits) - static_cast<unsigned>(at % 8);
    const unsigned mask = (1U << static_cast<unsigned>(page_.bits)) - 1U;
    return static_cast<T>(bytes_[row + at / 8] >> shift & mask);
  }

 private:
  template <typename N>
  [[nodiscard]] N load(std::size_t at) const {
    N number{};
    std::memcpy(&number, bytes_.data() + at, sizeof number);
    return number;
  }

  const TiffPage& page_;
  std::span<const std::uint8_t> bytes_;
};

/// The colours of a palette, 16 bits as in the file.
struct Colors {
  std::array<const std::uint16_t*, 3> channel{};
  [[nodiscard]] bool empty() const { return channel[0] == nullptr; }
};

/// Receives the pixels of a page.
template <typename T>
class Target {
 public:
  Target(const TiffPage& page, const Colors& colors, std::span<T> values)
      : page_(page), colors_(colors), values_(values) {}

  void take(const Chunk& chunk, std::span<const std::uint8_t> bytes) {
    const std::int64_t samples = chunk.sample < 0 ? page_.samples : 1;
    const std::size_t row = static_cast<std::size_t>((chunk.width * samples * page_.bits + 7) / 8);
    const Samples from(page_, bytes);
    const std::int64_t right = std::min(page_.width, chunk.x + chunk.width);
    const std::int64_t bottom = std::min(page_.height, chunk.y + chunk.height);
    for (std::int64_t y = chunk.y; y < bottom; ++y) {
      const std::size_t start = row * static_cast<std::size_t>(y - chunk.y);
      if (start + row > bytes.size()) break;
      if (is_as_stored(chunk)) {
        std::memcpy(values_.data() + (chunk.x + page_.width * y) * samples, bytes.data() + start,
                    static_cast<std::size_t>((right - chunk.x) * samples) * sizeof(T));
        continue;
      }
      for (std::int64_t x = chunk.x; x < right; ++x) {
        const auto first = static_cast<std::size_t>((x - chunk.x) * samples);
        put(x + page_.width * y, chunk.sample, from, start, first);
      }
    }
  }

 private:
  void put(std::int64_t pixel, int sample, const Samples& from, std::size_t row,
           std::size_t first) {
    T* const to = values_.data() + pixel * components();
    if (!colors_.empty()) {
      const auto entry = from.template get<std::uint16_t>(row, first);
      for (std::size_t channel = 0; channel < 3; ++channel)
        to[channel] = static_cast<T>(colors_.channel[channel][entry] >> 8U);
    } else if (sample >= 0) {
      if (sample < components()) to[sample] = number(from, row, first);
    } else {
      for (int i = 0; i < components(); ++i)
        to[i] = number(from, row, first + static_cast<std::size_t>(i));
    }
  }

  [[nodiscard]] int components() const { return colors_.empty() ? page_.components : 3; }

  /// Returns whether the numbers of a strip or tile are values of type T, as many as wanted.
  [[nodiscard]] bool is_as_stored(const Chunk& chunk) const {
    return colors_.empty() && chunk.sample < 0 && page_.samples == page_.components &&
           page_.bits == 8 * static_cast<int>(sizeof(T)) &&
           page_.photometric != PHOTOMETRIC_MINISWHITE;
  }

  [[nodiscard]] T number(const Samples& from, std::size_t row, std::size_t index) const {
    const T value = from.template get<T>(row, index);
    if constexpr (std::is_unsigned_v<T>) {
      if (page_.photometric == PHOTOMETRIC_MINISWHITE) {
        return static_cast<T>((1U << static_cast<unsigned>(page_.bits)) - 1U - value);
      }
    }
    return value;
  }

  const TiffPage& page_;
  const Colors& colors_;
  std::span<T> values_;
};

/// Counts strips and tiles as they are decoded.
class Decoding {
 public:
  explicit Decoding(TiffFile& tiff) : tiff_(tiff) { tiff.forget(); }

  /// Counts one strip or tile, decoded or not.
  void count(bool decoded) { ++(decoded ? decoded_ : failed_); }

  /// libjpeg only warns of missing data, and fills them with gray.
  [[nodiscard]] TiffDamage damage() const {
    const std::string reason = tiff_.message().empty() ? tiff_.warning() : tiff_.message();
    if (failed_ == 0) return {.reason = reason};
    return {.reason = reason.empty() ? "its TIFF pixels cannot be read" : reason,
            .is_all = decoded_ == 0};
  }

 private:
  TiffFile& tiff_;
  std::int64_t decoded_ = 0;
  std::int64_t failed_ = 0;
};

/// Returns the colours of a palette; empty if the page has none. Throws InputError.
Colors colors_of(TiffFile& tiff, const TiffPage& page, const std::string& file) {
  if (page.photometric != PHOTOMETRIC_PALETTE) return {};
  std::uint16_t* red = nullptr;
  std::uint16_t* green = nullptr;
  std::uint16_t* blue = nullptr;
  if (TIFFGetField(tiff.get(), TIFFTAG_COLORMAP, &red, &green, &blue) != 1) {
    refuse(file, "its palette is missing");
  }
  return {.channel = {red, green, blue}};
}

std::int64_t rows_of_strips(TiffFile& tiff, const TiffPage& page, const std::string& file) {
  const auto rows = std::min<std::int64_t>(
      field<std::uint32_t>(tiff.get(), TIFFTAG_ROWSPERSTRIP, 0xffffffffU), page.height);
  if (rows < 1) refuse(file, "its strips have no rows");
  return rows;
}

template <typename T>
void read_strips(TiffFile& tiff, const TiffPage& page, const std::string& file, Target<T>& target,
                 Decoding& decoding, Context& context) {
  const std::int64_t rows = rows_of_strips(tiff, page, file);
  const std::int64_t per_plane = (page.height + rows - 1) / rows;
  const std::int64_t count = per_plane * (page.planar ? page.samples : 1);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(TIFFStripSize64(tiff.get())));
  for (std::int64_t strip = 0; strip < count; ++strip) {
    context.checkpoint(static_cast<double>(strip) / static_cast<double>(count));
    const tmsize_t came = TIFFReadEncodedStrip(tiff.get(), static_cast<std::uint32_t>(strip),
                                               bytes.data(), static_cast<tmsize_t>(bytes.size()));
    decoding.count(came >= 0);
    if (came < 0) continue;
    const Chunk chunk{0, strip % per_plane * rows, page.width, rows,
                      page.planar ? static_cast<int>(strip / per_plane) : -1};
    target.take(chunk, std::span(bytes).first(static_cast<std::size_t>(came)));
  }
}

template <typename T>
void read_tiles(TiffFile& tiff, const TiffPage& page, const std::string& file, Target<T>& target,
                Decoding& decoding, Context& context) {
  const auto [width, height, columns, rows] = tiff_chunks(tiff, page, file);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(TIFFTileSize64(tiff.get())));
  const int planes = page.planar ? page.samples : 1;
  for (int plane = 0; plane < planes; ++plane) {
    for (std::int64_t y = 0; y < page.height; y += height) {
      context.checkpoint(static_cast<double>(y) / static_cast<double>(page.height));
      for (std::int64_t x = 0; x < page.width; x += width) {
        const bool decoded =
            TIFFReadTile(tiff.get(), bytes.data(), static_cast<std::uint32_t>(x),
                         static_cast<std::uint32_t>(y), 0, static_cast<std::uint16_t>(plane)) >= 0;
        decoding.count(decoded);
        if (decoded) target.take({x, y, width, height, page.planar ? plane : -1}, bytes);
      }
    }
  }
}

/// Reads colours that libtiff converts: 8 bits each, whatever the page has.
template <typename T>
void read_through_rgba(TiffFile& tiff, const TiffPage& page, std::span<T> values,
                       Decoding& decoding, Context& context) {
  context.checkpoint(0.0);
  std::vector<std::uint32_t> raster(static_cast<std::size_t>(page.width * page.height));
  decoding.count(TIFFReadRGBAImageOriented(tiff.get(), static_cast<std::uint32_t>(page.width),
                                           static_cast<std::uint32_t>(page.height), raster.data(),
                                           ORIENTATION_TOPLEFT, 0) == 1);
  std::size_t to = 0;
  for (const std::uint32_t pixel : raster) {
    values[to++] = static_cast<T>(TIFFGetR(pixel));
    values[to++] = static_cast<T>(TIFFGetG(pixel));
    values[to++] = static_cast<T>(TIFFGetB(pixel));
  }
}

/// Largest tile or strip; no real file comes near.
constexpr tmsize_t kMostAllocation = tmsize_t{1} << 30;

/// Returns whether a warning is harmless: old writers and some cameras fill a strip or tile beyond
/// its pixels.
bool is_harmless(std::string_view warning) {
  return warning.find("Discarding") != std::string_view::npos ||
         warning.find("extraneous bytes before marker 0xd9") != std::string_view::npos;
}

/// Decodes the samples of one strip or tile into pixels of type T.
template <typename T>
Volume decoded_chunk(TiffFile& tiff, const TiffPage& page, const TiffChunks& chunks,
                     std::int64_t column, std::int64_t row) {
  TiffPage alone = page;
  alone.width = chunks.width;
  alone.height = chunks.height;
  const Colors colors = colors_of(tiff, page, "the slide");
  std::vector<T> pixels(static_cast<std::size_t>(chunks.width * chunks.height * page.components));
  Target<T> target(alone, colors, pixels);
  ::tiff* const t = tiff.get();
  std::vector<std::uint8_t> bytes(
      static_cast<std::size_t>(page.tiled ? TIFFTileSize64(t) : TIFFStripSize64(t)));
  const std::int64_t planes = page.planar ? page.samples : 1;
  tiff.forget();
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    const auto number =
        static_cast<std::uint32_t>(column + chunks.columns * (row + chunks.rows * plane));
    if (TIFFGetStrileByteCount(t, number) == 0) return {};
    const auto size = static_cast<tmsize_t>(bytes.size());
    const tmsize_t came = page.tiled ? TIFFReadEncodedTile(t, number, bytes.data(), size)
                                     : TIFFReadEncodedStrip(t, number, bytes.data(), size);
    if (came >= 0) {
      const Chunk whole{0, 0, chunks.width, chunks.height,
                        page.planar ? static_cast<int>(plane) : -1};
      target.take(whole, std::span(bytes).first(static_cast<std::size_t>(came)));
    }
    const std::string said = tiff.message().empty() ? tiff.warning() : tiff.message();
    if (came < 0 || !said.empty())
      throw InputError(said.empty() ? "its TIFF pixels cannot be read" : said);
  }
  Geometry grid;
  grid.size = {chunks.width, chunks.height, 1};
  return Volume(grid, std::move(pixels), page.components);
}

struct Options {
  TIFFOpenOptions* options = TIFFOpenOptionsAlloc();

  Options(void* said, TIFFErrorHandlerExtR take_error, TIFFErrorHandlerExtR take_warning) {
    if (options == nullptr) throw std::bad_alloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, kMostAllocation);
    TIFFOpenOptionsSetErrorHandlerExtR(options, take_error, said);
    TIFFOpenOptionsSetWarningHandlerExtR(options, take_warning, said);
  }
  ~Options() { TIFFOpenOptionsFree(options); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
};

}  // namespace

TiffPage read_tiff_page(TiffFile& tiff, std::int64_t file_bytes, const std::string& file) {
  ::tiff* const t = tiff.get();
  TiffPage page;
  page.width = field<std::uint32_t>(t, TIFFTAG_IMAGEWIDTH, 0);
  page.height = field<std::uint32_t>(t, TIFFTAG_IMAGELENGTH, 0);
  if (page.width < 1 || page.height < 1) throw InputError(file + " has a TIFF page without pixels");
  page.bits = field<std::uint16_t>(t, TIFFTAG_BITSPERSAMPLE, 1);
  page.samples = field<std::uint16_t>(t, TIFFTAG_SAMPLESPERPIXEL, 1);
  page.sample_format = field<std::uint16_t>(t, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  // VOID means "unknown"; by custom it is read as unsigned.
  if (page.sample_format == SAMPLEFORMAT_VOID) page.sample_format = SAMPLEFORMAT_UINT;
  page.photometric = field<std::uint16_t>(t, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  page.compression = field<std::uint16_t>(t, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  page.planar =
      page.samples > 1 &&
      field<std::uint16_t>(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
  page.tiled = TIFFIsTiled(t) != 0;
  page.is_copy = (field<std::uint32_t>(t, TIFFTAG_SUBFILETYPE, 0) &
                  (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
  if (!TIFFIsCODECConfigured(static_cast<std::uint16_t>(page.compression))) {
    refuse(file, "its compression is unknown (code " + std::to_string(page.compression) + ")");
  }
  // JPEG pages are decoded to their original RGB.
  if (page.compression == COMPRESSION_JPEG && page.photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField(t, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    page.photometric = PHOTOMETRIC_RGB;
  }
  page.through_rgba = is_color_space(page.photometric) || page.compression == COMPRESSION_OJPEG;
  if (page.through_rgba) {
    page.components = 3;
    page.type = VoxelType::U8;
  } else {
    page.components = page.photometric == PHOTOMETRIC_RGB && page.samples >= 3 ? 3 : 1;
    if (page.photometric != PHOTOMETRIC_RGB && page.photometric != PHOTOMETRIC_PALETTE &&
        page.photometric != PHOTOMETRIC_MINISBLACK && page.photometric != PHOTOMETRIC_MINISWHITE) {
      refuse(file,
             "its colours are of an unknown kind (code " + std::to_string(page.photometric) + ")");
    }
    page.type = type_of(page, file);
    if (page.photometric == PHOTOMETRIC_PALETTE) {
      if (page.bits > 16 || page.type == VoxelType::I16) refuse(file, "its palette is too large");
      page.components = 3;
      page.type = VoxelType::U8;
    }
  }
  check_size(page, t, file_bytes, file);
  return page;
}

TiffChunks tiff_chunks(TiffFile& tiff, const TiffPage& page, const std::string& file) {
  TiffChunks chunks{.width = page.width};
  if (page.tiled) {
    chunks.width = field<std::uint32_t>(tiff.get(), TIFFTAG_TILEWIDTH, 0);
    chunks.height = field<std::uint32_t>(tiff.get(), TIFFTAG_TILELENGTH, 0);
    if (chunks.width < 1 || chunks.height < 1) refuse(file, "its tiles have no size");
  } else {
    chunks.height = rows_of_strips(tiff, page, file);
  }
  chunks.columns = (page.width + chunks.width - 1) / chunks.width;
  chunks.rows = (page.height + chunks.height - 1) / chunks.height;
  return chunks;
}

Volume read_tiff_chunk(TiffFile& tiff, const TiffPage& page, const TiffChunks& chunks,
                       std::int64_t column, std::int64_t row) {
  require(!page.through_rgba);
  Volume pixels = visit_type(
      page.type, [&]<typename T>(T) { return decoded_chunk<T>(tiff, page, chunks, column, row); });
  if (is_wrapped(pixels, page)) throw InputError(std::string(kWrapped));
  return pixels;
}

bool is_wrapped(const Volume& pixels, const TiffPage& page) {
  if (page.sample_format != SAMPLEFORMAT_UINT || page.bits != 32) return false;
  return pixels.type() == VoxelType::I32 && value_range(pixels).low < 0;
}

template <typename T>
TiffDamage read_tiff_pixels(TiffFile& tiff, const TiffPage& page, ReadAs as,
                            const std::string& file, std::vector<T>& values, Context& context) {
  const bool indices = page.photometric == PHOTOMETRIC_PALETTE && as == ReadAs::Labels;
  const int components = indices ? 1 : page.components;
  const std::size_t before = values.size();
  values.resize(before + static_cast<std::size_t>(page.width * page.height * components));
  const std::span<T> to = std::span(values).subspan(before);
  Decoding decoding(tiff);
  if (page.through_rgba) {
    read_through_rgba(tiff, page, to, decoding, context);
    return decoding.damage();
  }
  const Colors colors = indices ? Colors() : colors_of(tiff, page, file);
  TiffPage as_read = page;
  as_read.components = components;
  Target<T> target(as_read, colors, to);
  if (page.tiled) {
    read_tiles(tiff, page, file, target, decoding, context);
  } else {
    read_strips(tiff, page, file, target, decoding, context);
  }
  return decoding.damage();
}

template TiffDamage read_tiff_pixels(TiffFile&, const TiffPage&, ReadAs, const std::string&,
                                     std::vector<std::uint8_t>&, Context&);
template TiffDamage read_tiff_pixels(TiffFile&, const TiffPage&, ReadAs, const std::string&,
                                     std::vector<std::int16_t>&, Context&);
template TiffDamage read_tiff_pixels(TiffFile&, const TiffPage&, ReadAs, const std::string&,
                                     std::vector<std::uint16_t>&, Context&);
template TiffDamage read_tiff_pixels(TiffFile&, const TiffPage&, ReadAs, const std::string&,
                                     std::vector<std::int32_t>&, Context&);
template TiffDamage read_tiff_pixels(TiffFile&, const TiffPage&, ReadAs, const std::string&,
                                     std::vector<std::uint32_t>&, Context&);
template TiffDamage read_tiff_pixels(TiffFile&, const TiffPage&, ReadAs, const std::string&,
                                     std::vector<float>&, Context&);

int TiffFile::Said::take_error(tiff* /*file*/, void* said, const char* /*module*/,
                               const char* format, std::va_list arguments) noexcept {
  Text& error = static_cast<Said*>(said)->error;
  std::vsnprintf(error.data(), error.size(), format, arguments);
  return 1;
}

int TiffFile::Said::take_warning(tiff* /*file*/, void* said, const char* /*module*/,
                                 const char* format, std::va_list arguments) noexcept {
  Text& warning = static_cast<Said*>(said)->warning;
  Text text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  if (warning[0] == '\0' && !is_harmless(text.data())) warning = text;
  return 1;
}

TiffFile::TiffFile(const std::filesystem::path& file) : said_(std::make_unique<Said>()) {
  const Options options(said_.get(), Said::take_error, Said::take_warning);
  // m: not memory-mapped, since a file that shrinks meanwhile would end the program.
  tiff_ = TIFFOpenExt(file.c_str(), "rm", options.options);
  if (tiff_ == nullptr) {
    throw InputError(file.string() + " is damaged: it cannot be read as TIFF (" + message() + ")");
  }
}

TiffFile::TiffFile(int descriptor, const std::filesystem::path& file, bool big)
    : said_(std::make_unique<Said>()) {
  const Options options(said_.get(), Said::take_error, Said::take_warning);
  errno = 0;
  const int own = ::dup(descriptor);
  tiff_ = own < 0 ? nullptr : TIFFFdOpenExt(own, file.c_str(), big ? "w8m" : "wm", options.options);
  if (tiff_ != nullptr) return;
  // libtiff only says that it could not write its header; the system knows why.
  const std::string reason = errno != 0 ? std::generic_category().message(errno) : message();
  if (own >= 0) ::close(own);
  throw OutputError("cannot write " + file.string() + ": " + reason);
}

TiffFile::~TiffFile() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

bool TiffFile::close() {
  said_->error = {};
  const bool flushed = TIFFFlush(tiff_) == 1;
  TIFFClose(tiff_);
  tiff_ = nullptr;
  return flushed && said_->error[0] == '\0';
}

}  // namespace seedwave::io
