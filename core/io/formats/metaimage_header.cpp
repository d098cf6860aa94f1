// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/metaimage_header.h"

#include "core/base/error.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace seedwave::io {
namespace {

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

}  // namespace

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

}  // namespace seedwave::io
