// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "core/io/pictures/tiff_file.h"
#include "core/io/pictures/tiff_format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <tiffio.h>
#include <vector>

namespace seedwave::io {
namespace {

int sample_format_of(VoxelType type) {
  switch (type) {
    case VoxelType::U8:
    case VoxelType::U16:
    case VoxelType::U32:
      return SAMPLEFORMAT_UINT;
    case VoxelType::I16:
    case VoxelType::I32:
      return SAMPLEFORMAT_INT;
    case VoxelType::F32:
      break;
  }
  return SAMPLEFORMAT_IEEEFP;
}

void set_fields(tiff* tiff, const Volume& volume, std::int64_t page) {
  const Geometry& geometry = volume.geometry();
  const auto slices = static_cast<std::uint16_t>(std::min<std::int64_t>(geometry.size[2], 65535));
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(geometry.size[0]));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(geometry.size[1]));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * bytes_of(volume.type())));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, volume.components());
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, sample_format_of(volume.type()));
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
               volume.components() == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
  TIFFSetField(tiff, TIFFTAG_SOFTWARE, "Seedwave");
  if (slices > 1) {
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    TIFFSetField(tiff, TIFFTAG_PAGENUMBER, static_cast<int>(std::min<std::int64_t>(page, 65535)),
                 static_cast<int>(slices));
  }
}

}  // namespace

void write_tiff(OutputSet& outputs, const std::filesystem::path& path, const Volume& volume) {
  const Geometry& geometry = volume.geometry();
  const auto refuse = [&](const std::string& reason) {
    throw OutputError("cannot write " + path.string() + ": " + reason);
  };
  // libtiff only says which row it could not write; the system knows why.
  const auto refuse_write = [&](const TiffFile& tiff) {
    refuse(errno != 0 ? std::generic_category().message(errno) : tiff.message());
  };
  constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();
  if (std::max(geometry.size[0], geometry.size[1]) > kMostSide) refuse("it is too wide for TIFF");
  // Deflate may enlarge data that do not compress: 64-bit offsets are used well below 4 GB.
  constexpr std::size_t kClassic = std::size_t{3} << 30;
  AtomicFile& file = outputs.create(path);
  TiffFile tiff(file.descriptor(), path, volume.bytes().size() > kClassic);
  const std::size_t row =
      volume.bytes().size() / static_cast<std::size_t>(geometry.size[1] * geometry.size[2]);
  // libtiff may swap the bytes of a row in place.
  std::vector<std::byte> copy(row);
  errno = 0;
  for (std::int64_t z = 0; z < geometry.size[2]; ++z) {
    set_fields(tiff.get(), volume, z);
    for (std::int64_t y = 0; y < geometry.size[1]; ++y) {
      const auto from = static_cast<std::size_t>(z * geometry.size[1] + y) * row;
      std::memcpy(copy.data(), volume.bytes().data() + from, row);
      if (TIFFWriteScanline(tiff.get(), copy.data(), static_cast<std::uint32_t>(y), 0) != 1) {
        refuse_write(tiff);
      }
    }
    if (TIFFWriteDirectory(tiff.get()) != 1) refuse_write(tiff);
  }
  if (!tiff.close()) refuse_write(tiff);
}

}  // namespace seedwave::io
