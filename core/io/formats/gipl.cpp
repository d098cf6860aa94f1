// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/gipl.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/formats/axes.h"
#include "core/io/formats/header_fields.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

// Offsets of the header's fields: sizes (4 x u16), type (u16), voxel sizes (4 x f32), a text, a
// matrix (20 x f32), two flags, smallest and largest value (f64), the first voxel (4 x f64), the
// values' offset and factor (f32), two numbers of the user, the mark (u32).
constexpr std::size_t kSizes = 0;
constexpr std::size_t kType = 8;
constexpr std::size_t kSpacing = 10;
constexpr std::size_t kText = 26;
constexpr std::size_t kTextBytes = 80;
constexpr std::size_t kOrigin = 204;
constexpr std::size_t kValueOffset = 236;
constexpr std::size_t kValueFactor = 240;
constexpr std::size_t kMark = 252;
constexpr std::size_t kHeaderBytes = 256;

constexpr std::uint32_t kMarkOfVersion1 = 0xefffe9b0;
constexpr std::uint32_t kMarkOfVersion2 = 0x2ae389b8;

struct Gipl {
  RawVoxels raw;  // of the first time point
  std::int64_t parts = 1;
  std::string description;
  std::vector<std::string> warnings;
};

bool is_gipl(std::span<const std::byte> head) {
  if (head.size() < kHeaderBytes) return false;
  const auto mark = HeaderFields(head, std::endian::big).get<std::uint32_t>(kMark);
  return mark == kMarkOfVersion1 || mark == kMarkOfVersion2;
}

/// Binary images have a byte per voxel, as in ITK.
StoredType stored_type_of(int type, const std::string& file) {
  switch (type) {
    case 1:
    case 8:
      return StoredType::U8;
    case 7:
      return StoredType::I8;
    case 15:
      return StoredType::I16;
    case 16:
      return StoredType::U16;
    case 31:
      return StoredType::U32;
    case 32:
      return StoredType::I32;
    case 64:
      return StoredType::F32;
    case 65:
      return StoredType::F64;
    default:
      throw InputError(file + " holds voxels of an unsupported GIPL type (code " +
                       std::to_string(type) + "): save it as integers or floating point");
  }
}

Geometry geometry_of(const HeaderFields& fields, const std::string& file) {
  std::array<std::int64_t, 4> size{};
  Vec3 spacing{};
  fields.get_all<std::uint16_t>(kSizes, size);
  fields.get_all<float>(kSpacing, spacing);
  Geometry geometry;
  fields.get_all<double>(kOrigin, geometry.origin);
  geometry.size = {size[0], size[1], size[2]};
  // A 2-D image has no third size, and the header's data on that axis are ignored.
  geometry.planar = size[2] == 0 && size[3] <= 1;
  if (geometry.planar) {
    geometry.size[2] = 1;
    geometry.origin[2] = 0.0;
    spacing[2] = 1.0;
  }
  geometry.spacing = spacing;
  geometry.validate(file);
  if (!is_usable(index_to_world(geometry))) {
    throw InputError(file +
                     " has no usable geometry: its GIPL header gives impossible voxel sizes " +
                     "or an impossible first voxel");
  }
  return geometry;
}

void warn_of_calibration(const HeaderFields& fields, std::vector<std::string>& warnings) {
  const double offset = fields.get<float>(kValueOffset);
  const double factor = fields.get<float>(kValueFactor);
  if (offset == 0.0 && (factor == 0.0 || factor == 1.0)) return;
  warnings.push_back("has a calibration of its values in the GIPL header (factor " +
                     number_text(factor) + ", offset " + number_text(offset) +
                     "), which is not applied");
}

Gipl read_gipl(const fs::path& file) {
  const std::string name = file.string();
  const bool packed = has_mark(read_head(file, 2), "\x1f\x8b");
  Gipl gipl;
  RawVoxels& raw = gipl.raw;
  raw.file = file;
  raw.packing = packed ? Packing::Deflate : Packing::None;
  raw.order = std::endian::big;
  raw.stream_offset = static_cast<std::int64_t>(kHeaderBytes);
  std::vector<std::byte> head(kHeaderBytes);
  ByteSource source(file, raw.packing);
  head.resize(source.read_some(head));
  if (!is_gipl(head)) throw InputError(name + " does not start with a GIPL header");
  const HeaderFields fields(head, std::endian::big);
  raw.stored = stored_type_of(fields.get<std::uint16_t>(kType), name);
  raw.geometry = geometry_of(fields, name);
  gipl.parts =
      checked_parts(std::max<std::int64_t>(1, fields.get<std::uint16_t>(kSizes + 6)), name);
  gipl.description = printable(trimmed(fields.text(kText, kTextBytes)));
  warn_of_calibration(fields, gipl.warnings);
  check_raw_size(raw);
  return gipl;
}

std::vector<Item> scan_gipl(const fs::path& file) {
  const Gipl gipl = read_gipl(file);
  Item item;
  item.format = "gipl";
  item.kind = gipl.raw.geometry.planar ? ItemKind::Image : ItemKind::Volume;
  item.files = {file};
  item.geometry = gipl.raw.geometry;
  item.type = type_of(gipl.raw);
  item.warnings = gipl.warnings;
  item.hints.description = gipl.description;
  return items_of_parts(item, gipl.parts, "time",
                        [&](std::int64_t part) { check_raw_size(part_of(gipl.raw, part)); });
}

LoadedImage load_gipl(const Item& item, const LoadOptions& options, Context& context) {
  const Gipl gipl = read_gipl(item.files.at(0));
  return load_part(item, gipl.raw, gipl.parts, gipl.warnings, options, context);
}

}  // namespace

Format gipl_format() {
  return {
      .name = "gipl", .recognises = is_gipl, .in_gzip = true, .scan = scan_gipl, .load = load_gipl};
}

}  // namespace seedwave::io
