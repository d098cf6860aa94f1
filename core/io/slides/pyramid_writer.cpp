// SPDX-License-Identifier: Apache-2.0
#include "core/io/slides/pyramid_writer.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/unnamed_file.h"
#include "core/image/mean_of.h"
#include "core/image/visit_type.h"
#include "core/io/pictures/tiff_file.h"
#include "core/io/slides/slide.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <system_error>
#include <tiffio.h>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <zlib.h>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

/// Packs one tile: `width` pixels of `rows` rows of a band, filled up with the last pixel, which
/// packs well.
Bytes packed_tile(std::span<const std::uint8_t> band, std::int64_t band_width, std::int64_t rows,
                  std::int64_t left, std::int64_t side, std::int64_t pixel) {
  const std::int64_t width = std::min(side, band_width - left);
  Bytes tile(static_cast<std::size_t>(side * side * pixel));
  for (std::int64_t y = 0; y < side; ++y) {
    const std::int64_t from_row = std::min(y, rows - 1);
    std::uint8_t* const to = tile.data() + y * side * pixel;
    std::memcpy(to, band.data() + (from_row * band_width + left) * pixel,
                static_cast<std::size_t>(width * pixel));
    for (std::int64_t x = width; x < side; ++x)
      std::memcpy(to + x * pixel, to + (width - 1) * pixel, static_cast<std::size_t>(pixel));
  }
  uLongf size = compressBound(tile.size());
  Bytes packed(size);
  if (compress2(packed.data(), &size, tile.data(), tile.size(), 1) != Z_OK) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

/// Halves a band of rows; squares at the end of the level have fewer pixels.
template <typename T>
void halve(std::span<const std::uint8_t> from, std::int64_t width, std::int64_t rows,
           int components, PyramidLevels levels, Bytes& to) {
  const auto pixels = std::span(reinterpret_cast<const T*>(from.data()), from.size() / sizeof(T));
  const std::size_t before = to.size();
  const std::int64_t half_width = (width + 1) / 2;
  to.resize(before +
            static_cast<std::size_t>(half_width * ((rows + 1) / 2) * components) * sizeof(T));
  auto* target = reinterpret_cast<T*>(to.data() + before);
  for (std::int64_t y = 0; y < rows; y += 2) {
    const std::int64_t below = std::min(y + 1, rows - 1);
    for (std::int64_t x = 0; x < width; x += 2) {
      const std::int64_t right = std::min(x + 1, width - 1);
      for (int c = 0; c < components; ++c) {
        const auto at = [&](std::int64_t u, std::int64_t v) {
          return pixels[static_cast<std::size_t>((v * width + u) * components + c)];
        };
        *target++ = levels == PyramidLevels::First
                        ? at(x, y)
                        : mean_of_four(at(x, y), at(right, y), at(x, below), at(right, below));
      }
    }
  }
}

struct StoredType {
  VoxelType type;
  std::string_view name;  // in OME-XML
  int format;             // of TIFF
};
constexpr std::array kStoredTypes{StoredType{VoxelType::U8, "uint8", SAMPLEFORMAT_UINT},
                                  StoredType{VoxelType::I16, "int16", SAMPLEFORMAT_INT},
                                  StoredType{VoxelType::U16, "uint16", SAMPLEFORMAT_UINT},
                                  StoredType{VoxelType::I32, "int32", SAMPLEFORMAT_INT},
                                  StoredType{VoxelType::F32, "float", SAMPLEFORMAT_IEEEFP},
                                  StoredType{VoxelType::U32, "uint32", SAMPLEFORMAT_UINT}};

const StoredType& stored_as(VoxelType type) {
  return *std::ranges::find(kStoredTypes, type, &StoredType::type);
}

std::string ome_header(const PyramidSettings& settings) {
  const bool in_colour = settings.components == 3;
  const std::string type(stored_as(settings.type).name);
  std::string size;
  if (settings.mpp) {
    size = R"( PhysicalSizeX=")" + number_text((*settings.mpp)[0]) + R"(" PhysicalSizeY=")" +
           number_text((*settings.mpp)[1]) +
           "\" PhysicalSizeXUnit=\"\u00b5m\" PhysicalSizeYUnit=\"\u00b5m\"";
  }
  return R"(<?xml version="1.0" encoding="UTF-8"?>)"
         R"(<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" )"
         R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" )"
         R"(xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 )"
         R"(http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" Creator="Seedwave">)"
         R"(<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type=")" +
         type + R"(" SizeX=")" + std::to_string(settings.width) + R"(" SizeY=")" +
         std::to_string(settings.height) + R"(" SizeZ="1" SizeC=")" + (in_colour ? "3" : "1") +
         R"(" SizeT="1")" + size + R"(><Channel ID="Channel:0:0" SamplesPerPixel=")" +
         (in_colour ? "3" : "1") +
         R"("/><TiffData IFD="0" PlaneCount="1"/></Pixels></Image></OME>)";
}

}  // namespace

class PyramidWriter::File {
 public:
  File(OutputSet& outputs, fs::path path, const PyramidSettings& settings)
      : path_(std::move(path)),
        settings_(settings),
        pixel_(static_cast<std::int64_t>(bytes_of(settings.type)) * settings.components),
        waiting_(path_),
        tiff_(outputs.create(path_).descriptor(), path_, true) {
    constexpr std::int64_t kLongest = std::numeric_limits<std::int32_t>::max();
    require(settings.tile > 0 && settings.tile % 16 == 0);
    if (settings.width < 1 || settings.height < 1 || settings.width > kLongest ||
        settings.height > kLongest)
      throw OutputError("cannot write " + path_.string() + ": no size for a TIFF");
    levels_.push_back({settings.width, settings.height});
    while (levels_.back().width > settings.tile || levels_.back().height > settings.tile)
      levels_.push_back({(levels_.back().width + 1) / 2, (levels_.back().height + 1) / 2});
    set_fields(0);
  }

  [[nodiscard]] std::int64_t next_rows() const {
    return std::min(settings_.tile, settings_.height - levels_[0].rows_in);
  }

  void write(const Volume& rows, Context& context) {
    require(rows.geometry().size[0] == settings_.width && rows.type() == settings_.type &&
            rows.components() == settings_.components && rows.geometry().size[1] == next_rows());
    const auto bytes = rows.bytes();
    take(0, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, context);
  }

  void finish(Context& context) {
    require(levels_[0].rows_in == settings_.height);
    end_directory();
    Bytes packed;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      set_fields(level);
      const std::vector<WaitingTile>& tiles = levels_[level].tiles;
      for (std::size_t i = 0; i < tiles.size(); ++i) {
        context.checkpoint(static_cast<double>(i) / static_cast<double>(tiles.size()));
        packed.resize(static_cast<std::size_t>(tiles[i].bytes));
        waiting_.read(tiles[i].begin, packed);
        write_packed(static_cast<std::uint32_t>(i), packed);
      }
      end_directory();
    }
    if (!tiff_.close()) fail();
  }

 private:
  /// Bytes that wait in a file without a name, in the folder of the output.
  class WaitingBytes {
   public:
    explicit WaitingBytes(const fs::path& beside) : name_(beside.string()) {
      const fs::path folder = beside.has_parent_path() ? beside.parent_path() : fs::path(".");
      descriptor_ = open_unnamed_file(folder.c_str());
      if (descriptor_ < 0) fail();
    }
    ~WaitingBytes() {
      if (descriptor_ >= 0) ::close(descriptor_);
    }
    WaitingBytes(const WaitingBytes&) = delete;
    WaitingBytes& operator=(const WaitingBytes&) = delete;

    /// Returns the place of the bytes.
    std::int64_t add(std::span<const std::uint8_t> bytes) {
      const std::int64_t begin = size_;
      while (!bytes.empty()) {
        const ssize_t came = ::pwrite(descriptor_, bytes.data(), bytes.size(), size_);
        if (came < 0 && errno == EINTR) continue;
        if (came <= 0) fail();
        size_ += came;
        bytes = bytes.subspan(static_cast<std::size_t>(came));
      }
      return begin;
    }
    void read(std::int64_t from, std::span<std::uint8_t> bytes) const {
      while (!bytes.empty()) {
        const ssize_t came = ::pread(descriptor_, bytes.data(), bytes.size(), from);
        if (came < 0 && errno == EINTR) continue;
        if (came <= 0) fail();
        from += came;
        bytes = bytes.subspan(static_cast<std::size_t>(came));
      }
    }

   private:
    [[noreturn]] void fail() const {
      throw OutputError("cannot write " + name_ + ": " + std::generic_category().message(errno));
    }
    std::string name_;
    int descriptor_ = -1;
    std::int64_t size_ = 0;
  };

  /// A packed tile of a coarser level.
  struct WaitingTile {
    std::int64_t begin = 0;
    std::int64_t bytes = 0;
  };

  struct Level {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t rows_in = 0;  // taken over
    Bytes band{};              // those of the next row of tiles
    std::vector<WaitingTile> tiles{};
  };

  /// Takes rows of a level; writes each full row of tiles and hands it on, halved.
  void take(std::size_t number, std::span<const std::uint8_t> rows, Context& context) {
    Level& level = levels_[number];
    const std::int64_t row = level.width * pixel_;
    std::int64_t offered = static_cast<std::int64_t>(rows.size()) / row;
    while (offered > 0) {
      const std::int64_t held = static_cast<std::int64_t>(level.band.size()) / row;
      const std::int64_t taken = std::min(offered, settings_.tile - held);
      const auto part = rows.first(static_cast<std::size_t>(taken * row));
      rows = rows.subspan(part.size());
      offered -= taken;
      level.rows_in += taken;
      level.band.insert(level.band.end(), part.begin(), part.end());
      if (held + taken == settings_.tile || level.rows_in == level.height)
        write_band(number, context);
    }
  }

  void write_band(std::size_t number, Context& context) {
    Level& level = levels_[number];
    const std::int64_t side = settings_.tile;
    const std::int64_t columns = (level.width + side - 1) / side;
    const std::int64_t rows = static_cast<std::int64_t>(level.band.size()) / (level.width * pixel_);
    std::vector<Bytes> packed(static_cast<std::size_t>(columns));
    parallel_for(context, columns, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t column = begin; column < end; ++column) {
        context.checkpoint(0.0);
        packed[static_cast<std::size_t>(column)] =
            packed_tile(level.band, level.width, rows, column * side, side, pixel_);
      }
    });
    for (const Bytes& tile : packed) {
      if (number == 0) {
        write_packed(static_cast<std::uint32_t>(tiles_written_++), tile);
      } else {
        const std::int64_t begin = waiting_.add(tile);
        level.tiles.push_back({begin, std::ssize(tile)});
      }
    }
    // Halved bands of a full row of tiles have half of its rows, so they fit one another.
    if (number + 1 < levels_.size()) {
      Bytes half;
      visit_stored_type(settings_.type, [&]<typename T>(T) {
        halve<T>(level.band, level.width, rows, settings_.components, settings_.levels, half);
      });
      take(number + 1, half, context);
    }
    level.band.clear();
  }

  void set_fields(std::size_t number) {
    const Level& level = levels_[number];
    ::tiff* const t = tiff_.get();
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(level.width));
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(level.height));
    TIFFSetField(t, TIFFTAG_TILEWIDTH, static_cast<std::uint32_t>(settings_.tile));
    TIFFSetField(t, TIFFTAG_TILELENGTH, static_cast<std::uint32_t>(settings_.tile));
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(settings_.type)));
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, settings_.components);
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, stored_as(settings_.type).format);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC,
                 settings_.components == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(t, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(t, TIFFTAG_SOFTWARE, "Seedwave");
    if (number > 0) {
      TIFFSetField(t, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
      return;
    }
    TIFFSetField(t, TIFFTAG_IMAGEDESCRIPTION, ome_header(settings_).c_str());
    if (settings_.mpp) {
      constexpr double kMicrometresPerCentimetre = 10000.0;
      TIFFSetField(t, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
      TIFFSetField(t, TIFFTAG_XRESOLUTION, kMicrometresPerCentimetre / (*settings_.mpp)[0]);
      TIFFSetField(t, TIFFTAG_YRESOLUTION, kMicrometresPerCentimetre / (*settings_.mpp)[1]);
    }
    // Filled in by libtiff as the next directories are written.
    const std::vector<std::uint64_t> offsets(levels_.size() - 1);
    if (!offsets.empty())
      TIFFSetField(t, TIFFTAG_SUBIFD, static_cast<int>(offsets.size()), offsets.data());
  }

  void write_packed(std::uint32_t number, std::span<const std::uint8_t> packed) {
    errno = 0;
    // libtiff takes it as not constant, for swapping bytes; these are not.
    auto* const bytes = const_cast<std::uint8_t*>(packed.data());
    if (TIFFWriteRawTile(tiff_.get(), number, bytes, static_cast<tmsize_t>(packed.size())) < 0)
      fail();
  }
  void end_directory() {
    errno = 0;
    if (TIFFWriteDirectory(tiff_.get()) != 1) fail();
  }
  [[noreturn]] void fail() const {
    throw OutputError("cannot write " + path_.string() + ": " +
                      (errno != 0 ? std::generic_category().message(errno) : tiff_.message()));
  }

  fs::path path_;
  PyramidSettings settings_;
  std::int64_t pixel_;  // bytes
  std::vector<Level> levels_;
  WaitingBytes waiting_;
  TiffFile tiff_;
  std::int64_t tiles_written_ = 0;
};

PyramidWriter::PyramidWriter(OutputSet& outputs, const fs::path& path,
                             const PyramidSettings& settings)
    : file_(std::make_unique<File>(outputs, path, settings)) {}

PyramidWriter::~PyramidWriter() = default;

std::int64_t PyramidWriter::next_rows() const {
  return file_->next_rows();
}

void PyramidWriter::write(const Volume& rows, Context& context) {
  file_->write(rows, context);
}

void PyramidWriter::finish(Context& context) {
  file_->finish(context);
}

void write_pyramid(OutputSet& outputs, const fs::path& path, const Volume& volume,
                   PyramidLevels levels) {
  const Geometry& grid = volume.geometry();
  if (!grid.is_2d())
    throw OutputError("cannot write " + path.string() + ": a pyramid needs a 2-D image");
  PyramidSettings settings{.width = grid.size[0],
                           .height = grid.size[1],
                           .type = volume.type(),
                           .components = volume.components(),
                           .levels = levels};
  if (grid.unit != LengthUnit::Pixel) {
    const double micrometres =
        grid.unit == LengthUnit::Millimetre ? kMicrometresPerMillimetre : 1.0;
    settings.mpp =
        std::array<double, 2>{grid.spacing[0] * micrometres, grid.spacing[1] * micrometres};
  }
  Context context;
  PyramidWriter writer(outputs, path, settings);
  std::int64_t row = 0;
  while (const std::int64_t rows = writer.next_rows()) {
    Geometry band = grid;
    band.size[1] = rows;
    visit_stored(volume, [&]<typename T>(std::span<const T> voxels) {
      const auto width = static_cast<std::size_t>(grid.size[0] * volume.components());
      const auto part = voxels.subspan(static_cast<std::size_t>(row) * width,
                                       static_cast<std::size_t>(rows) * width);
      writer.write(Volume(band, std::vector<T>(part.begin(), part.end()), volume.components()),
                   context);
    });
    row += rows;
  }
  writer.finish(context);
}

}  // namespace seedwave::io
