// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <tiffio.h>
#include <vector>

namespace seedwave::test {

/// Writes a slide of 640 x 400 pixels of half a micrometre with three channels and two levels; a
/// channel's pixels are `value` everywhere, but twice that in the left half of the slide.
inline void write_channel_slide(const std::filesystem::path& file,
                                const std::array<std::uint8_t, 3>& values) {
  const std::string ome =
      "<OME><Image><Pixels SizeC=\"3\" SizeZ=\"1\" SizeT=\"1\" DimensionOrder=\"XYCZT\" "
      "PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.5\"><Channel Name=\"DAPI\"/><Channel "
      "Name=\"Alexa 488\"/><Channel Name=\"other\"/></Pixels></Image></OME>";
  TIFF* const tiff = TIFFOpen(file.c_str(), "w");
  for (std::size_t channel = 0; channel < values.size(); ++channel) {
    for (const std::uint32_t reduction : {1U, 2U}) {
      const std::uint32_t width = 640 / reduction;
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 400 / reduction);
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 64);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, 64);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
      if (reduction == 1) {
        if (channel == 0) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, ome.c_str());
        const std::uint64_t offset = 0;
        TIFFSetField(tiff, TIFFTAG_SUBIFD, 1, &offset);
      } else {
        TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
      }
      const std::uint32_t columns = (width + 63) / 64;
      for (std::uint32_t i = 0; i < TIFFNumberOfTiles(tiff); ++i) {
        const bool left = i % columns * 64 < width / 2;
        std::vector<std::uint8_t> tile(
            std::size_t{64} * 64,
            static_cast<std::uint8_t>(left ? 2 * values[channel] : values[channel]));
        TIFFWriteEncodedTile(tiff, i, tile.data(), static_cast<tmsize_t>(tile.size()));
      }
      TIFFWriteDirectory(tiff);
    }
  }
  TIFFClose(tiff);
}

}  // namespace seedwave::test
