// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/metaimage.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/formats/axes.h"
#include "core/io/formats/gzip_writer.h"
#include "core/io/formats/metaimage_header.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

struct MetaImage {
  RawVoxels raw;           // of the first part
  std::int64_t parts = 1;  // components or time points
  std::vector<std::string> warnings;
};

double millimetres_per(const std::string& unit) {
  if (unit == "um") return 0.001;
  if (unit == "cm") return 10.0;
  if (unit == "m") return 1000.0;
  return 1.0;
}

Geometry geometry_of(const MetaImageHeader& header, const std::string& file,
                     std::vector<std::string>& warnings) {
  const std::size_t count = header.size.size();
  const std::size_t in_space = std::min<std::size_t>(3, count);
  Geometry geometry;
  geometry.size = {1, 1, 1};
  for (std::size_t i = 0; i < in_space; ++i)
    geometry.size[i] = header.size[i];
  if (count == 2 && !header.has_position) {
    geometry.unit = LengthUnit::Pixel;
    geometry.validate(file);
    return geometry;
  }
  const double factor = millimetres_per(header.unit);
  if (factor != 1.0) warnings.push_back("gives lengths in " + header.unit + ": converted to mm");
  if (std::any_of(header.spacing.begin(),
                  header.spacing.begin() + static_cast<std::ptrdiff_t>(in_space),
                  [](double spacing) { return spacing < 0.0; })) {
    warnings.emplace_back(
        "has a negative ElementSpacing in its MetaImage header: that axis is reversed");
  }
  IndexToWorld axes;
  for (std::size_t row = 0; row < in_space; ++row) {
    // The file lists the direction of one axis after the other: the columns of the matrix.
    for (std::size_t column = 0; column < in_space; ++column)
      axes.steps[3 * row + column] =
          header.matrix[column * count + row] * header.spacing[column] * factor;
    axes.origin[row] = header.offset[row] * factor;
  }
  if (!is_usable(axes)) {
    throw InputError(file +
                     " cannot be placed: spacing and axes of its MetaImage header span no volume");
  }
  geometry = fit_geometry(axes, geometry.size, warnings);
  geometry.planar = count == 2;
  geometry.validate(file);
  return geometry;
}

void set_place(RawVoxels& raw, const MetaImageHeader& header, const fs::path& file,
               std::int64_t parts) {
  const bool local = header.voxel_file == "LOCAL" || header.voxel_file == "Local";
  if (header.voxel_file.starts_with("LIST") || header.voxel_file.find('%') != std::string::npos) {
    throw InputError(file.string() + " keeps its voxels in several files: save it as one");
  }
  raw.file = local ? file : companion_of(file, header.voxel_file);
  raw.file_offset = local ? header.length : 0;
  const auto fail = [&](const std::string& complaint) {
    throw InputError(file.string() + " has a damaged MetaImage header: 'HeaderSize' " + complaint);
  };
  if (header.header_size == -1) {
    if (header.compressed) fail("is -1, which needs uncompressed voxels");
    place_at_end(raw, parts);
  } else if (header.header_size > 0) {
    raw.file_offset = header.header_size;
  }
  if (local && raw.file_offset < header.length) fail("places the voxels inside the header itself");
}

MetaImage read_metaimage(const fs::path& file) {
  const std::string name = file.string();
  const auto head = read_head(file, kMostTextHeader);
  const MetaImageHeader header =
      parse_metaimage_header({reinterpret_cast<const char*>(head.data()), head.size()}, name);
  MetaImage image;
  RawVoxels& raw = image.raw;
  raw.geometry = geometry_of(header, name, image.warnings);
  raw.stored = header.type;
  raw.order = header.order;
  raw.packing = header.compressed ? Packing::Deflate : Packing::None;
  raw.components = header.channels == 3 ? 3 : 1;
  if (header.size.size() == 4) image.parts = header.size[3];
  if (header.channels != raw.components) {
    if (image.parts > 1) {
      throw InputError(name + " has several components at several times, which is not supported: " +
                       "save one time point");
    }
    image.parts = raw.values_per_voxel = header.channels;
  }
  image.parts = checked_parts(image.parts, name);
  set_place(raw, header, file, image.parts);
  check_raw_size(raw);
  return image;
}

bool is_metaimage(std::span<const std::byte> head) {
  return is_metaimage_header({reinterpret_cast<const char*>(head.data()), head.size()});
}

std::vector<Item> scan_metaimage(const fs::path& file) {
  const MetaImage image = read_metaimage(file);
  Item item;
  item.format = "metaimage";
  item.kind = image.raw.geometry.has_two_axes() ? ItemKind::Image : ItemKind::Volume;
  item.files = {file};
  if (image.raw.file != file) item.files.push_back(image.raw.file);
  item.geometry = image.raw.geometry;
  item.type = type_of(image.raw);
  item.components = image.raw.components;
  item.warnings = image.warnings;
  return items_of_parts(item, image.parts, image.raw.values_per_voxel > 0 ? "part" : "time",
                        [&](std::int64_t part) { check_raw_size(part_of(image.raw, part)); });
}

LoadedImage load_metaimage(const Item& item, const LoadOptions& options, Context& context) {
  const MetaImage image = read_metaimage(item.files.at(0));
  return load_part(item, image.raw, image.parts, image.warnings, options, context);
}

std::string_view type_name(VoxelType type) {
  switch (type) {
    case VoxelType::U8:
      return "MET_UCHAR";
    case VoxelType::I16:
      return "MET_SHORT";
    case VoxelType::U16:
      return "MET_USHORT";
    case VoxelType::I32:
      return "MET_INT";
    case VoxelType::F32:
      break;
  }
  return "MET_FLOAT";
}

}  // namespace

Format metaimage_format() {
  return {.name = "metaimage",
          .recognises = is_metaimage,
          .scan = scan_metaimage,
          .load = load_metaimage};
}

void write_metaimage(OutputSet& outputs, const fs::path& path, const Volume& volume) {
  const Geometry& g = volume.geometry();
  const int axes = g.has_two_axes() ? 2 : 3;
  std::string matrix;
  std::string offset;
  std::string zeros;
  std::string spacing;
  std::string size;
  for (int axis = 0; axis < axes; ++axis) {
    for (int row = 0; row < axes; ++row)
      matrix += " " + number_text(g.direction[3 * row + axis]);
    offset += " " + number_text(g.origin[axis]);
    zeros += " 0";
    spacing += " " + number_text(g.spacing[axis]);
    size += " " + std::to_string(g.size[axis]);
  }
  std::string header =
      "ObjectType = Image\nNDims = " + std::to_string(axes) +
      "\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = False";
  // An image without scale states none, so that it is read back as such.
  if (g.unit != LengthUnit::Pixel || axes == 3) {
    header += "\nTransformMatrix =" + matrix + "\nOffset =" + offset +
              "\nCenterOfRotation =" + zeros + "\nElementSpacing =" + spacing;
  }
  header += "\nDimSize =" + size;
  if (volume.components() == 3) header += "\nElementNumberOfChannels = 3";
  header +=
      "\nElementType = " + std::string(type_name(volume.type())) + "\nElementDataFile = LOCAL\n";
  const std::array<std::span<const std::byte>, 2> parts{std::as_bytes(std::span(header)),
                                                        volume.bytes()};
  write_file(outputs, path, parts);
}

}  // namespace seedwave::io
