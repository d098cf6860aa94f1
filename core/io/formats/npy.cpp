// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/npy.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/image/crop.h"
#include "core/io/formats/text_fields.h"
#include "core/io/formats/voxel_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "\x93NUMPY";
/// Limit of the header's size. Headers of images take some 100 bytes; structured types may take
/// more, and are refused.
constexpr std::size_t kMostHeader = 65536;

/// Parses the few forms of Python literals that the header may hold.
class Literal {
 public:
  Literal(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  bool take(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail();
  }

  std::string text() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail();
    const auto end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail();
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }

  bool flag() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    fail();
  }

  std::int64_t integer() {
    skip_space();
    const auto value = take_number<std::int64_t>(rest_);
    if (!value) fail();
    (void)take('L');  // Python 2
    return *value;
  }

  [[noreturn]] void fail() const { throw InputError(file_ + " has a damaged .npy header"); }

 private:
  void skip_space() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }

  std::string_view rest_;
  const std::string& file_;
};

std::vector<std::int64_t> parse_shape(Literal& literal) {
  std::vector<std::int64_t> shape;
  literal.expect('(');
  while (!literal.take(')')) {
    // NumPy has at most 32 axes.
    if (shape.size() >= 32) literal.fail();
    shape.push_back(literal.integer());
    if (!literal.take(',')) {
      literal.expect(')');
      break;
    }
  }
  return shape;
}

StoredType stored_type_of(const std::string& type, const std::string& file) {
  constexpr std::array<std::pair<std::string_view, StoredType>, 12> kTypes{
      {{"b1", StoredType::U8},
       {"u1", StoredType::U8},
       {"i1", StoredType::I8},
       {"u2", StoredType::U16},
       {"i2", StoredType::I16},
       {"u4", StoredType::U32},
       {"i4", StoredType::I32},
       {"u8", StoredType::U64},
       {"i8", StoredType::I64},
       {"f2", StoredType::F16},
       {"f4", StoredType::F32},
       {"f8", StoredType::F64}}};
  for (const auto& [name, stored] : kTypes) {
    if (type.size() == 3 && type.substr(1) == name) return stored;
  }
  throw InputError(
      file + " holds the NumPy type '" + printable(type) +
      "', which is not an image type: save it with astype('u1', 'u2', 'i2', 'i4' or 'f4')");
}

/// Sets the grid of a shape [y][x], [z][y][x] or [z][y][x][3].
void set_grid(RawVoxels& raw, std::vector<std::int64_t> shape, const std::string& file) {
  if (shape.size() == 4 && shape.back() == 3) {
    raw.components = 3;
    shape.pop_back();
  }
  if (shape.size() != 2 && shape.size() != 3) {
    throw InputError(file + " is an array with " + std::to_string(shape.size()) +
                     " axes: an image has [y][x], [z][y][x] or [z][y][x][3]");
  }
  raw.geometry.unit = shape.size() == 2 || (raw.components == 3 && shape[0] == 1)
                          ? LengthUnit::Pixel
                          : LengthUnit::Millimetre;
  std::reverse(shape.begin(), shape.end());
  raw.geometry.size = {shape[0], shape[1], shape.size() == 3 ? shape[2] : 1};
  raw.geometry.validate(file);
}

/// An array as stored in its file.
struct Npy {
  RawVoxels raw;
  bool fortran_order = false;
};

Npy read_npy_header(const fs::path& file) {
  const std::string name = file.string();
  auto head = read_head(file, 12);
  const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(head[at]); };
  if (!has_mark(head, kMark) || head.size() < 12) throw InputError(name + " is not a .npy file");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3) {
    throw InputError(name + " has version " + std::to_string(version) +
                     " of .npy: 1 to 3 are supported");
  }
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = byte(8) | byte(9) << 8U;
  if (version > 1) length |= byte(10) << 16U | byte(11) << 24U;
  head = length > kMostHeader ? std::vector<std::byte>() : read_head(file, begin + length);
  if (head.size() < begin + length || length > kMostHeader) {
    throw InputError(name + " is truncated inside its .npy header");
  }
  const std::string_view text(reinterpret_cast<const char*>(head.data()) + begin, length);
  const NpyHeader header = parse_npy_header(text, name);
  Npy npy;
  RawVoxels& raw = npy.raw;
  raw.file = file;
  raw.file_offset = static_cast<std::int64_t>(begin + length);
  raw.stored = stored_type_of(header.type, name);
  raw.order = header.type.front() == '>' ? std::endian::big : std::endian::little;
  set_grid(raw, header.shape, name);
  check_raw_size(raw);
  npy.fortran_order = header.fortran_order;
  return npy;
}

/// Returns values that were stored with the slice as the fastest index, then row, column and
/// component, in the usual order.
template <typename T>
Volume in_usual_order(std::span<const T> stored, const Geometry& geometry, int components) {
  const auto nx = static_cast<std::size_t>(geometry.size[0]);
  const auto ny = static_cast<std::size_t>(geometry.size[1]);
  const auto nz = static_cast<std::size_t>(geometry.size[2]);
  const auto nc = static_cast<std::size_t>(components);
  std::vector<T> values(stored.size());
  std::size_t to = 0;
  for (std::size_t z = 0; z < nz; ++z) {
    for (std::size_t y = 0; y < ny; ++y) {
      for (std::size_t x = 0; x < nx; ++x) {
        for (std::size_t c = 0; c < nc; ++c)
          values[to++] = stored[z + nz * (y + ny * (x + nx * c))];
      }
    }
  }
  return Volume(geometry, std::move(values), components);
}

/// Reads the whole of an array in Fortran order, since each slice is spread over the whole file.
Volume load_fortran(const RawVoxels& raw, const LoadOptions& options, Context& context,
                    std::vector<std::string>& warnings) {
  require_memory(bytes_of_parts(raw, 1) * 2, raw.file.string());
  const Volume stored = load_raw(raw, {}, options.as, context, warnings);
  Volume whole = visit_stored(
      stored, [&](auto values) { return in_usual_order(values, raw.geometry, raw.components); });
  const Index3& size = raw.geometry.size;
  const std::int64_t count = cut_slices(raw.geometry, options.slices).size[2];
  if (count == size[2]) return whole;
  const auto first = std::clamp<std::int64_t>(options.slices.first, 0, size[2] - 1);
  return crop(whole, {{0, 0, first}, {size[0], size[1], first + count}});
}

std::vector<std::string> warnings_of(const RawVoxels& raw) {
  if (raw.geometry.unit == LengthUnit::Pixel) return {};
  return {"a .npy file has no position and no voxel size: 1 mm is assumed"};
}

bool is_npy(std::span<const std::byte> head) {
  return has_mark(head, kMark);
}

std::vector<Item> scan_npy(const fs::path& file) {
  const RawVoxels raw = read_npy_header(file).raw;
  Item item;
  item.kind = raw.geometry.unit == LengthUnit::Pixel ? ItemKind::Image : ItemKind::Volume;
  item.format = "npy";
  item.files = {file};
  item.geometry = raw.geometry;
  item.type = type_of(raw);
  item.components = raw.components;
  item.warnings = warnings_of(raw);
  return {item};
}

LoadedImage load_npy(const Item& item, const LoadOptions& options, Context& context) {
  const Npy npy = read_npy_header(item.files.at(0));
  LoadedImage image;
  image.hints = item.hints;
  image.warnings = warnings_of(npy.raw);
  image.volume = npy.fortran_order
                     ? load_fortran(npy.raw, options, context, image.warnings)
                     : load_raw(npy.raw, options.slices, options.as, context, image.warnings);
  return image;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& file) {
  Literal literal(text, file);
  NpyHeader header;
  literal.expect('{');
  while (!literal.take('}')) {
    const std::string key = literal.text();
    literal.expect(':');
    if (key == "descr") {
      header.type = literal.text();
    } else if (key == "fortran_order") {
      header.fortran_order = literal.flag();
    } else if (key == "shape") {
      header.shape = parse_shape(literal);
    } else {
      literal.fail();
    }
    if (!literal.take(',')) {
      literal.expect('}');
      break;
    }
  }
  if (header.type.empty()) literal.fail();
  return header;
}

Format npy_format() {
  return {.name = "npy", .recognises = is_npy, .scan = scan_npy, .load = load_npy};
}

void write_npy(OutputSet& outputs, const fs::path& path, const Volume& volume) {
  const Geometry& geometry = volume.geometry();
  std::string_view type = "<f4";
  if (volume.type() == VoxelType::U8) type = "|u1";
  if (volume.type() == VoxelType::I16) type = "<i2";
  if (volume.type() == VoxelType::U16) type = "<u2";
  if (volume.type() == VoxelType::I32) type = "<i4";
  if (volume.type() == VoxelType::U32) type = "<u4";
  // A slice of a patient stays a volume of one slice; colour needs four axes.
  const bool flat = geometry.planar || geometry.unit == LengthUnit::Pixel;
  const bool picture = geometry.is_2d() && flat && volume.components() == 1;
  std::string shape;
  for (int axis = picture ? 1 : 2; axis >= 0; --axis)
    shape += std::to_string(geometry.size[axis]) + (axis > 0 ? ", " : "");
  if (volume.components() == 3) shape += ", 3";
  const std::string description =
      "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  write_voxels(outputs, path, volume, [&](std::size_t length) -> std::string {
    // NumPy aligns the voxels to 64 bytes.
    constexpr std::size_t kBefore = 10;
    std::size_t padding = 63 - (kBefore + description.size()) % 64;
    if (length > 0) {
      if (kBefore + description.size() + 1 > length) return {};
      padding = length - kBefore - description.size() - 1;
    }
    const std::size_t size = description.size() + padding + 1;
    std::string front(kMark);
    front += {'\x01', '\0', static_cast<char>(size & 0xffU), static_cast<char>(size >> 8U)};
    return front + description + std::string(padding, ' ') + '\n';
  });
}

}  // namespace seedwave::io
