// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/nrrd.h"

#include "core/base/error.h"
#include "core/image/vec3.h"
#include "core/io/formats/axes.h"
#include "core/io/formats/raw_voxels.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seedwave::io {
namespace {

/// A position or step in the space of the file, with as many numbers as that has dimensions.
using NrrdVector = std::vector<double>;

/// One axis of an NRRD array, the fastest first.
struct NrrdAxis {
  std::int64_t size = 0;
  std::string kind;
  std::optional<double> spacing;
  std::optional<NrrdVector> direction;
  /// Set if the axis is outside space: "none" among the directions, or such a kind.
  bool outside_space = false;
};

/// The fields of an NRRD header that Seedwave uses.
struct NrrdHeader {
  std::vector<NrrdAxis> axes;
  StoredType type = StoredType::U8;
  Packing packing = Packing::None;
  std::endian order = std::endian::little;
  std::string space;
  /// 4 if the fourth dimension is time: its axis is then outside space, and directions and origin
  /// still have three numbers. 0 if it is not stated.
  std::int64_t space_dimension = 0;
  std::optional<NrrdVector> origin;
  std::string content;
  /// The file with the voxels; "" if they follow the header.
  std::string voxel_file;
  std::int64_t line_skip = 0;
  std::int64_t byte_skip = 0;
  /// Length of the header in bytes, with the empty line that ends it.
  std::int64_t length = 0;
};

/// The limit of the NRRD format.
constexpr std::int64_t kMostAxes = 16;
/// Three of space, and time.
constexpr std::size_t kMostSpace = 4;

class Parser {
 public:
  explicit Parser(const std::string& file) : file_(file) {}

  void field(std::string_view name, std::string_view value);
  NrrdHeader finish();
  void set_length(std::int64_t length) { header_.length = length; }

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& complaint) const {
    throw InputError(file_ + " has a damaged NRRD header: '" + printable(name) + "' " + complaint);
  }
  [[nodiscard]] std::int64_t integer(std::string_view name, std::string_view value) const {
    const auto number = integer_of(value);
    if (!number) fail(name, "must be a whole number");
    return *number;
  }
  /// Returns the words, which must be as many as the array has axes.
  [[nodiscard]] std::vector<std::string_view> words_per_axis(std::string_view name,
                                                             std::string_view value) const {
    auto words = words_of(value);
    if (header_.axes.empty()) fail(name, "stands before 'dimension'");
    if (words.size() != header_.axes.size()) fail(name, "must name each of the axes");
    return words;
  }
  [[nodiscard]] NrrdVector vector(std::string_view name, std::string_view text) const;
  void set_time_aside();
  void directions(std::string_view name, std::string_view value);
  void type(std::string_view name, std::string_view value);
  void encoding(std::string_view name, std::string_view value);
  void space(std::string_view value);

  const std::string& file_;
  NrrdHeader header_;
  bool has_type_ = false;
  bool has_encoding_ = false;
};

/// Parses "(1,0,0)".
NrrdVector Parser::vector(std::string_view name, std::string_view text) const {
  text = trimmed(text);
  if (!text.starts_with('(') || !text.ends_with(')'))
    fail(name, "must hold vectors such as (1,0,0)");
  text = text.substr(1, text.size() - 2);
  NrrdVector vector;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    more = comma != std::string_view::npos;
    const auto number = number_of(text.substr(0, comma));
    if (!number || vector.size() == kMostSpace)
      fail(name, "must hold vectors of up to four numbers");
    vector.push_back(*number);
    if (more) text.remove_prefix(comma + 1);
  }
  return vector;
}

/// Removes time from a space of four dimensions, of which it is the last. One axis runs along it
/// and nothing else does.
void Parser::set_time_aside() {
  const auto shorten = [](NrrdVector& vector) { vector.resize(3); };
  for (NrrdAxis& axis : header_.axes) {
    if (!axis.direction || axis.direction->size() < kMostSpace) continue;
    const bool in_time = axis.direction->back() != 0.0;
    shorten(*axis.direction);
    if (!in_time) continue;
    if (std::any_of(axis.direction->begin(), axis.direction->end(),
                    [](double step) { return step != 0.0; })) {
      fail("space directions", "mixes space with time");
    }
    axis.direction.reset();
    axis.outside_space = true;
    axis.kind = "time";
  }
  if (header_.origin && header_.origin->size() == kMostSpace) shorten(*header_.origin);
}

void Parser::directions(std::string_view name, std::string_view value) {
  // Blanks inside the brackets are allowed, so splitting into words would not work.
  std::size_t axis = 0;
  for (value = trimmed(value); !value.empty(); value = trimmed(value), ++axis) {
    if (axis >= header_.axes.size()) fail(name, "names more axes than there are");
    const bool none = value.starts_with("none");
    const auto end = none ? 4 : value.find(')') + 1;
    if (end == 0) fail(name, "must hold vectors such as (1,0,0)");
    if (none) {
      header_.axes[axis].outside_space = true;
    } else {
      header_.axes[axis].direction = vector(name, value.substr(0, end));
    }
    value.remove_prefix(end);
  }
  if (axis != header_.axes.size()) fail(name, "must name each of the axes");
}

void Parser::type(std::string_view name, std::string_view value) {
  using Names = std::pair<StoredType, std::string_view>;
  // All spellings of the definition, each between bars.
  constexpr std::array<Names, 10> kTypes{{
      {StoredType::I8, "|signed char|int8|int8_t|"},
      {StoredType::U8, "|uchar|unsigned char|uint8|uint8_t|"},
      {StoredType::I16, "|short|short int|signed short|signed short int|int16|int16_t|"},
      {StoredType::U16, "|ushort|unsigned short|unsigned short int|uint16|uint16_t|"},
      {StoredType::I32, "|int|signed int|int32|int32_t|"},
      {StoredType::U32, "|uint|unsigned int|uint32|uint32_t|"},
      {StoredType::I64,
       "|longlong|long long|long long int|signed long long|signed long long int|int64|int64_t|"},
      {StoredType::U64, "|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|"},
      {StoredType::F32, "|float|"},
      {StoredType::F64, "|double|"},
  }};
  const std::string wanted = "|" + lower_case(value) + "|";
  for (const auto& [stored, names] : kTypes) {
    if (names.find(wanted) == std::string_view::npos) continue;
    header_.type = stored;
    has_type_ = true;
    return;
  }
  fail(name, "is '" + printable(value) + "', which is not supported");
}

void Parser::encoding(std::string_view name, std::string_view value) {
  const std::string encoding = lower_case(value);
  has_encoding_ = true;
  if (encoding == "raw") return;
  if (encoding != "gzip" && encoding != "gz") {
    fail(name, "is '" + printable(value) + "'; raw and gzip are supported");
  }
  header_.packing = Packing::Deflate;
}

void Parser::space(std::string_view value) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSpaces{
      {{"right-anterior-superior", "ras"},
       {"left-anterior-superior", "las"},
       {"left-posterior-superior", "lps"}}};
  header_.space = printable(lower_case(value));
  header_.space_dimension = 3;
  for (const auto& [name, letters] : kSpaces) {
    if (header_.space == std::string(name) + "-time" || header_.space == std::string(letters) + "t")
      header_.space_dimension = 4;
    if (header_.space.starts_with(name) || header_.space == std::string(letters) + "t")
      header_.space = letters;
  }
}

void Parser::field(std::string_view name, std::string_view value) {
  const std::string key = lower_case(name);
  if (key == "dimension") {
    const std::int64_t dimension = integer(name, value);
    if (dimension < 1 || dimension > kMostAxes) fail(name, "must be 1 to 16");
    header_.axes.resize(static_cast<std::size_t>(dimension));
  } else if (key == "sizes") {
    const auto words = words_per_axis(name, value);
    for (std::size_t i = 0; i < words.size(); ++i)
      header_.axes[i].size = integer(name, words[i]);
  } else if (key == "type") {
    type(name, value);
  } else if (key == "encoding") {
    encoding(name, value);
  } else if (key == "endian") {
    header_.order = lower_case(value) == "big" ? std::endian::big : std::endian::little;
  } else if (key == "space") {
    space(value);
  } else if (key == "space dimension") {
    header_.space_dimension = integer(name, value);
  } else if (key == "space directions") {
    directions(name, value);
  } else if (key == "space origin") {
    header_.origin = vector(name, value);
  } else if (key == "spacings") {
    const auto words = words_per_axis(name, value);
    // "nan" if it is unknown.
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto spacing = number_of(words[i]);
      if (spacing && !std::isnan(*spacing)) header_.axes[i].spacing = spacing;
    }
  } else if (key == "kinds") {
    const auto words = words_per_axis(name, value);
    for (std::size_t i = 0; i < words.size(); ++i)
      header_.axes[i].kind = lower_case(words[i]);
  } else if (key == "data file" || key == "datafile") {
    header_.voxel_file = value;
  } else if (key == "line skip" || key == "lineskip") {
    header_.line_skip = integer(name, value);
  } else if (key == "byte skip" || key == "byteskip") {
    header_.byte_skip = integer(name, value);
  } else if (key == "content") {
    header_.content = printable(value);
  }
}

NrrdHeader Parser::finish() {
  if (header_.axes.empty()) fail("dimension", "is missing");
  if (!has_type_) fail("type", "is missing");
  if (!has_encoding_) fail("encoding", "is missing");
  set_time_aside();
  for (NrrdAxis& axis : header_.axes) {
    if (axis.size < 1) fail("sizes", "must be numbers above 0");
    const bool spatial = axis.kind.empty() || axis.kind == "domain" || axis.kind == "space" ||
                         axis.kind == "none" || axis.kind == "???";
    if (!spatial && !axis.direction) axis.outside_space = true;
  }
  return std::move(header_);
}

/// Parses the text at the start of an NRRD file. Throws InputError that names `file` and the field.
NrrdHeader parse_nrrd_header(std::string_view text, const std::string& file) {
  Parser parser(file);
  std::string_view rest = text;
  (void)take_line(rest);  // NRRD000X
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (line.empty()) break;
    if (line.starts_with('#')) continue;
    const auto colon = line.find(": ");
    // ":=" pairs belong to the writer; a field without a value means nothing.
    if (colon == std::string_view::npos || line.find(":=") < colon) continue;
    parser.field(line.substr(0, colon), trimmed(line.substr(colon + 2)));
  }
  parser.set_length(static_cast<std::int64_t>(text.size() - rest.size()));
  return parser.finish();
}

namespace fs = std::filesystem;

/// Time points or layers; the study list cannot show more.

/// An NRRD file as voxels in space.
struct Nrrd {
  RawVoxels raw;  // of the first part
  /// Unset for a 2-D image in a plane of its own.
  bool in_patient = true;
  std::string content;
  std::int64_t parts = 1;
  /// The meaning of the axis of the parts: "time", "layer", "part".
  std::string part_word;
  std::vector<std::string> warnings;
};

/// The axes of space, in the order of the file; another axis is colour, time or layers.
struct AxisRoles {
  std::vector<NrrdAxis> space;
  std::optional<NrrdAxis> other;
  bool other_is_fastest = false;
};

AxisRoles roles_of(const NrrdHeader& header, const std::string& file) {
  AxisRoles roles;
  std::vector<NrrdAxis> axes = header.axes;
  const auto outside = [](const NrrdAxis& axis) { return axis.outside_space; };
  // Four axes without further information: the last is time.
  if (axes.size() == 4 && std::none_of(axes.begin(), axes.end(), outside))
    axes.back().outside_space = true;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].outside_space) {
      roles.space.push_back(axes[i]);
    } else if (axes[i].size > 1) {
      if (roles.other || (i != 0 && i + 1 != axes.size())) {
        throw InputError(file +
                         " has an unsupported order of axes: those of space must be adjacent, with "
                         "one further axis before or after them");
      }
      roles.other = axes[i];
      roles.other_is_fastest = i == 0;
    }
  }
  if (roles.space.size() < 2 || roles.space.size() > 3) {
    throw InputError(file + " has " + std::to_string(roles.space.size()) +
                     " axes of space: images with 2 and volumes with 3 are supported");
  }
  return roles;
}

/// Returns true for two axes without position and spacing.
bool is_picture(const NrrdHeader& header, const AxisRoles& roles) {
  return roles.space.size() == 2 && header.space_dimension < 3 && !header.origin &&
         std::none_of(roles.space.begin(), roles.space.end(),
                      [](const NrrdAxis& axis) { return axis.direction || axis.spacing; });
}

/// Returns the point of a vector; two numbers lie in the plane of the first two axes.
Vec3 in_space(const NrrdVector& vector) {
  Vec3 point{0, 0, 0};
  std::copy_n(vector.begin(), std::min<std::size_t>(3, vector.size()), point.begin());
  return point;
}

/// Returns a grid from voxel sizes without directions.
Geometry geometry_of_spacings(const NrrdHeader& header, const AxisRoles& roles,
                              std::vector<std::string>& warnings) {
  Geometry geometry;
  for (std::size_t i = 0; i < roles.space.size(); ++i) {
    const double spacing = roles.space[i].spacing.value_or(1.0);
    geometry.spacing[i] = std::abs(spacing);
    if (spacing < 0.0) {
      warnings.emplace_back(
          "has a negative spacing in its NRRD header: its absolute value is used");
    }
  }
  if (header.origin) geometry.origin = in_space(*header.origin);
  // A 2-D image needs no position in the patient.
  if (roles.space.size() == 3 || header.space_dimension >= 3)
    warnings.emplace_back("has no axes in its NRRD header: left, posterior, superior are assumed");
  return geometry;
}

/// Returns the axes that the directions state, in LPS.
IndexToWorld stated_axes(const NrrdHeader& header, const AxisRoles& roles,
                         std::vector<std::string>& warnings) {
  std::array<Vec3, 3> steps{in_space(*roles.space[0].direction),
                            in_space(*roles.space[1].direction), Vec3{0, 0, 1}};
  if (roles.space.size() == 3) {
    steps[2] = in_space(*roles.space[2].direction);
  } else if (header.space_dimension >= 3) {
    // A single slice in space has no third step: a unit along its normal.
    steps[2] = cross(steps[0], steps[1]);
    const double length = norm(steps[2]);
    for (double& part : steps[2])
      part /= length;
  }
  IndexToWorld axes;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      axes.steps[3 * row + column] = steps[column][row];
  }
  if (header.origin) axes.origin = in_space(*header.origin);
  if (header.space == "ras") return swap_ras_lps(axes);
  if (header.space == "las") {
    for (int column = 0; column < 3; ++column)
      axes.steps[3 + column] = 0.0 - axes.steps[3 + column];
    axes.origin[1] = 0.0 - axes.origin[1];
  } else if (header.space != "lps" && roles.space.size() == 3) {
    warnings.push_back("does not state the directions of its axes" +
                       (header.space.empty() ? std::string() : " (space '" + header.space + "')") +
                       ": left, posterior, superior are assumed");
  }
  return axes;
}

Geometry geometry_of(const NrrdHeader& header, const AxisRoles& roles, const std::string& file,
                     std::vector<std::string>& warnings) {
  Index3 size{1, 1, 1};
  for (std::size_t i = 0; i < roles.space.size(); ++i)
    size[i] = roles.space[i].size;
  Geometry geometry;
  if (is_picture(header, roles)) {
    geometry.unit = LengthUnit::Pixel;
  } else if (std::all_of(roles.space.begin(), roles.space.end(),
                         [](const NrrdAxis& axis) { return axis.direction.has_value(); })) {
    const IndexToWorld axes = stated_axes(header, roles, warnings);
    if (!is_usable(axes)) {
      throw InputError(
          file + " has no usable geometry: the space directions of its NRRD header span no volume");
    }
    geometry = fit_geometry(axes, size, warnings);
    geometry.planar = roles.space.size() == 2;
  } else {
    geometry = geometry_of_spacings(header, roles, warnings);
    geometry.planar = roles.space.size() == 2;
  }
  geometry.size = size;
  geometry.validate(file);
  return geometry;
}

/// Returns the offset at which a line ends that is so many lines further on.
std::int64_t offset_after_lines(const fs::path& file, std::int64_t offset, std::int64_t lines) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(offset);
  for (std::int64_t i = 0; i < lines && stream; ++i)
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  if (!stream) throw InputError(file.string() + " is truncated before its voxels begin");
  return stream.tellg();
}

void set_place(Nrrd& nrrd, const NrrdHeader& header, const fs::path& file) {
  RawVoxels& raw = nrrd.raw;
  const bool attached = header.voxel_file.empty();
  if (!attached &&
      (header.voxel_file.starts_with("LIST") || header.voxel_file.find('%') != std::string::npos)) {
    throw InputError(file.string() + " keeps its voxels in several files: save it as one");
  }
  raw.file = attached ? file : companion_of(file, header.voxel_file);
  raw.file_offset = attached ? header.length : 0;
  if (header.line_skip > 0)
    raw.file_offset = offset_after_lines(raw.file, raw.file_offset, header.line_skip);
  if (header.byte_skip == -1 && header.packing == Packing::None) {
    // The voxels are the last bytes of the file, whatever comes before.
    const std::int64_t least = raw.file_offset;
    place_at_end(raw, nrrd.parts);
    if (raw.file_offset < least) {
      throw InputError(file.string() + " is truncated: its header reaches into its voxels");
    }
  } else if (header.byte_skip > 0) {
    raw.stream_offset = header.byte_skip;
  } else if (header.byte_skip != 0) {
    throw InputError(file.string() +
                     " has a damaged NRRD header: 'byte skip' must not be negative here");
  }
}

Nrrd read_nrrd(const fs::path& file) {
  const std::string name = file.string();
  const auto head = read_head(file, kMostTextHeader);
  const NrrdHeader header =
      parse_nrrd_header({reinterpret_cast<const char*>(head.data()), head.size()}, name);
  const AxisRoles roles = roles_of(header, name);
  Nrrd nrrd;
  nrrd.content = header.content;
  RawVoxels& raw = nrrd.raw;
  raw.stored = header.type;
  raw.order = header.order;
  raw.packing = header.packing;
  raw.geometry = geometry_of(header, roles, name, nrrd.warnings);
  nrrd.in_patient = roles.space.size() == 3 || header.space_dimension >= 3;
  if (roles.other) {
    const NrrdAxis& other = *roles.other;
    const bool color =
        roles.other_is_fastest && other.size == 3 && other.kind != "list" && other.kind != "time";
    const std::int64_t parts = checked_parts(other.size, name);
    if (color) {
      raw.components = 3;
    } else {
      nrrd.parts = parts;
      nrrd.part_word = other.kind == "time" ? "time" : other.kind == "list" ? "layer" : "part";
      if (roles.other_is_fastest) raw.values_per_voxel = parts;
    }
  }
  set_place(nrrd, header, file);
  check_raw_size(raw);
  return nrrd;
}

bool is_nrrd(std::span<const std::byte> head) {
  return has_mark(head, "NRRD000");
}

std::vector<Item> scan_nrrd(const fs::path& file) {
  const Nrrd nrrd = read_nrrd(file);
  Item item;
  item.format = "nrrd";
  item.kind = nrrd.in_patient ? ItemKind::Volume : ItemKind::Image;
  item.files = {file};
  if (nrrd.raw.file != file) item.files.push_back(nrrd.raw.file);
  item.geometry = nrrd.raw.geometry;
  item.type = type_of(nrrd.raw);
  item.components = nrrd.raw.components;
  item.warnings = nrrd.warnings;
  item.hints.description = nrrd.content;
  return items_of_parts(item, nrrd.parts, nrrd.part_word,
                        [&](std::int64_t part) { check_raw_size(part_of(nrrd.raw, part)); });
}

LoadedImage load_nrrd(const Item& item, const LoadOptions& options, Context& context) {
  const Nrrd nrrd = read_nrrd(item.files.at(0));
  return load_part(item, nrrd.raw, nrrd.parts, nrrd.warnings, options, context);
}

}  // namespace

Format nrrd_format() {
  return {.name = "nrrd", .recognises = is_nrrd, .scan = scan_nrrd, .load = load_nrrd};
}

}  // namespace seedwave::io
