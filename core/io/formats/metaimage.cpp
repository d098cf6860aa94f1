// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/metaimage.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/formats/axes.h"
#include "core/io/formats/raw_voxels.h"
#include "core/io/formats/text_fields.h"
#include "core/io/formats/voxel_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seedwave::io {
namespace {

/// The fields of a MetaImage header that Seedwave uses.
struct MetaImageHeader {
  std::vector<std::int64_t> size;
  /// Set if the file states spacing, offset or axes; otherwise they are 1, 0 and parallel.
  bool has_position = false;
  StoredType type = StoredType::U8;
  std::int64_t channels = 1;
  std::vector<double> spacing;
  std::vector<double> offset;
  /// Directions of the axes, row by row, as in the file.
  std::vector<double> matrix;
  std::string unit;
  bool compressed = false;
  std::endian order = std::endian::little;
  /// Bytes before the voxels in their file, counted from its beginning even if the header comes
  /// first. 0: the voxels follow the header, or begin their own file; -1: they are at its end.
  std::int64_t header_size = 0;
  /// "LOCAL" if the voxels follow the header.
  std::string voxel_file;
  /// Length of the header in bytes, with its last line.
  std::int64_t length = 0;
};

constexpr std::int64_t kMostChannels = 10000;

class Parser {
 public:
  explicit Parser(const std::string& file) : file_(file) {}

  /// Returns true if this was the last field.
  bool field(std::string_view name, std::string_view value);
  MetaImageHeader finish();

  MetaImageHeader header;

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& complaint) const {
    throw InputError(file_ + " has a damaged MetaImage header: '" + printable(name) + "' " +
                     complaint);
  }
  [[nodiscard]] std::vector<double> numbers(std::string_view name, std::string_view value) const {
    std::vector<double> list;
    for (const std::string_view word : words_of(value)) {
      const auto number = number_of(word);
      if (!number) fail(name, "must hold numbers");
      list.push_back(*number);
    }
    return list;
  }
  [[nodiscard]] std::int64_t integer(std::string_view name, std::string_view value) const {
    const auto number = integer_of(value);
    if (!number) fail(name, "must be a whole number");
    return *number;
  }
  void type(std::string_view name, std::string_view value);

  const std::string& file_;
  std::int64_t dimensions_ = 0;
  bool has_type_ = false;
};

bool is_true(std::string_view value) {
  const std::string word = lower_case(value);
  return word == "true" || word == "1";
}

void Parser::type(std::string_view name, std::string_view value) {
  constexpr std::array<std::pair<std::string_view, StoredType>, 12> kTypes{
      {{"MET_CHAR", StoredType::I8},
       {"MET_UCHAR", StoredType::U8},
       {"MET_SHORT", StoredType::I16},
       {"MET_USHORT", StoredType::U16},
       {"MET_INT", StoredType::I32},
       {"MET_UINT", StoredType::U32},
       {"MET_LONG", StoredType::I32},
       {"MET_ULONG", StoredType::U32},
       {"MET_LONG_LONG", StoredType::I64},
       {"MET_ULONG_LONG", StoredType::U64},
       {"MET_FLOAT", StoredType::F32},
       {"MET_DOUBLE", StoredType::F64}}};
  std::string_view word = value;
  if (word.ends_with("_ARRAY")) word.remove_suffix(6);
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(),
                                         [&](const auto& entry) { return entry.first == word; });
  if (found == kTypes.end()) fail(name, "is '" + printable(value) + "', which is not supported");
  header.type = found->second;
  has_type_ = true;
}

bool Parser::field(std::string_view name, std::string_view value) {
  if (name == "ObjectType" && value != "Image") {
    fail(name, "is '" + printable(value) + "': only images are supported");
  } else if (name == "NDims") {
    dimensions_ = integer(name, value);
    if (dimensions_ < 2 || dimensions_ > 4) fail(name, "must be 2, 3 or 4");
  } else if (name == "DimSize") {
    for (const std::string_view word : words_of(value))
      header.size.push_back(integer(name, word));
  } else if (name == "ElementType") {
    type(name, value);
  } else if (name == "ElementNumberOfChannels") {
    header.channels = integer(name, value);
    if (header.channels < 1 || header.channels > kMostChannels) fail(name, "must be 1 to 10000");
  } else if (name == "ElementSpacing") {
    header.spacing = numbers(name, value);
  } else if (name == "ElementSize" && header.spacing.empty()) {
    header.spacing = numbers(name, value);
  } else if (name == "Offset" || name == "Position" || name == "Origin") {
    header.offset = numbers(name, value);
  } else if (name == "TransformMatrix" || name == "Rotation" || name == "Orientation") {
    header.matrix = numbers(name, value);
  } else if (name == "DistanceUnits") {
    header.unit = printable(lower_case(value));
  } else if (name == "CompressedData") {
    header.compressed = is_true(value);
  } else if (name == "BinaryData" && !is_true(value)) {
    fail(name, "is false: voxels written as text are not supported");
  } else if (name == "BinaryDataByteOrderMSB" || name == "ElementByteOrderMSB") {
    header.order = is_true(value) ? std::endian::big : std::endian::little;
  } else if (name == "HeaderSize") {
    header.header_size = integer(name, value);
    if (header.header_size < -1) fail(name, "must not be below -1");
  } else if (name == "ElementDataFile") {
    header.voxel_file = value;
    return true;
  }
  return false;
}

MetaImageHeader Parser::finish() {
  const auto count = static_cast<std::size_t>(dimensions_);
  if (dimensions_ == 0) fail("NDims", "is missing");
  if (header.size.size() != count) fail("DimSize", "must have a size for each dimension");
  for (const std::int64_t size : header.size) {
    if (size < 1) fail("DimSize", "must be numbers above 0");
  }
  if (!has_type_) fail("ElementType", "is missing");
  if (header.voxel_file.empty()) fail("ElementDataFile", "is missing");
  header.has_position = !header.spacing.empty() || !header.offset.empty() || !header.matrix.empty();
  if (header.spacing.empty()) header.spacing.assign(count, 1.0);
  if (header.spacing.size() != count)
    fail("ElementSpacing", "must have a number for each dimension");
  if (header.offset.empty()) header.offset.assign(count, 0.0);
  if (header.offset.size() != count) fail("Offset", "must have a number for each dimension");
  if (header.matrix.empty()) {
    header.matrix.assign(count * count, 0.0);
    for (std::size_t i = 0; i < count; ++i)
      header.matrix[i * count + i] = 1.0;
  }
  if (header.matrix.size() != count * count) fail("TransformMatrix", "must be square");
  return std::move(header);
}

/// Returns whether a file starts like a MetaImage header.
bool is_metaimage_header(std::string_view text) {
  constexpr std::array<std::string_view, 6> kFirst{"ObjectType", "ObjectSubType", "Comment",
                                                   "NDims",      "Name",          "TransformType"};
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = trimmed(line.substr(0, equals));
  return std::find(kFirst.begin(), kFirst.end(), key) != kFirst.end() &&
         text.find("NDims") != std::string_view::npos;
}

/// Parses the text at the start of the file, up to ElementDataFile. Throws InputError that names
/// `file` and the field.
MetaImageHeader parse_metaimage_header(std::string_view text, const std::string& file) {
  Parser parser(file);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    if (parser.field(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)))) break;
  }
  parser.header.length = static_cast<std::int64_t>(text.size() - rest.size());
  return parser.finish();
}

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
    throw InputError(
        file + " has no usable geometry: spacing and axes of its MetaImage header span no volume");
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
    case VoxelType::U32:
      return "MET_UINT";
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
  header += "\nElementType = " + std::string(type_name(volume.type()));
  write_voxels(outputs, path, volume, [&](std::size_t length) -> std::string {
    // Then what lies between header and voxels is skipped.
    const std::string at_end = length > 0 ? "\nHeaderSize = -1" : "";
    std::string front = header + at_end + "\nElementDataFile = LOCAL\n";
    if (length == 0) return front;
    if (front.size() > length) return {};
    front.resize(length, '\n');
    return front;
  });
}

}  // namespace seedwave::io
