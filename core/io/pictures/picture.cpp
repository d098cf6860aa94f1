// SPDX-License-Identifier: Apache-2.0
#include "core/io/pictures/picture.h"

#include "core/base/error.h"

#include <cstring>
#include <limits>
#include <utility>

namespace seedwave::io {
namespace {

template <typename T>
Volume volume_of(const PictureHeader& header, const Geometry& grid,
                 const std::vector<std::uint8_t>& bytes) {
  std::vector<T> pixels(bytes.size() / sizeof(T));
  std::memcpy(pixels.data(), bytes.data(), pixels.size() * sizeof(T));
  return Volume(grid, std::move(pixels), header.components);
}

CheckedSize bytes_in(const PictureHeader& header) {
  return CheckedSize(header.width) * header.height * header.components *
         static_cast<std::int64_t>(bytes_of(header.type));
}

}  // namespace

Geometry picture_grid(std::int64_t width, std::int64_t height, const std::string& file) {
  Geometry grid;
  grid.size = {width, height, 1};
  grid.unit = LengthUnit::Pixel;
  grid.validate(file);
  return grid;
}

Item picture_item(const std::filesystem::path& file, const std::string& format,
                  const PictureHeader& header) {
  Item item;
  item.kind = ItemKind::Image;
  item.format = format;
  item.files = {file};
  item.geometry = picture_grid(header.width, header.height, file.string());
  item.type = header.type;
  item.components = header.components;
  item.warnings = header.warnings;
  return item;
}

void check_picture_size(const PictureHeader& header, std::int64_t file_bytes,
                        std::int64_t most_per_byte, const std::string& file) {
  constexpr std::int64_t kFewBytes = 65536;
  const CheckedSize most = CheckedSize(file_bytes) * most_per_byte + kFewBytes;
  if (!bytes_in(header).fits(most.value().value_or(std::numeric_limits<std::int64_t>::max()))) {
    throw InputError(file + " is truncated or its header is wrong: the header describes " +
                     std::to_string(header.width) + " x " + std::to_string(header.height) +
                     " pixels, more than the file contains");
  }
}

void require_picture_memory(const PictureHeader& header, const std::string& file) {
  // One copy as decoded and one as a Volume.
  require_memory(bytes_in(header) * 2, file);
}

Volume picture_volume(const PictureHeader& header, const Geometry& grid,
                      const std::vector<std::uint8_t>& bytes) {
  switch (header.type) {
    case VoxelType::U8:
      return Volume(grid, bytes, header.components);
    case VoxelType::I16:
      return volume_of<std::int16_t>(header, grid, bytes);
    case VoxelType::U16:
      return volume_of<std::uint16_t>(header, grid, bytes);
    case VoxelType::I32:
      return volume_of<std::int32_t>(header, grid, bytes);
    default:
      break;
  }
  return volume_of<float>(header, grid, bytes);
}

}  // namespace seedwave::io
