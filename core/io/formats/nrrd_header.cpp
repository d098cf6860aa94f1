// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/nrrd_header.h"

#include "core/base/error.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace seedwave::io {
namespace {

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

}  // namespace

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

}  // namespace seedwave::io
