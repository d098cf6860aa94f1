// SPDX-License-Identifier: Apache-2.0
#include "core/base/number_text.h"
#include "core/io/formats/byte_source.h"
#include "core/io/formats/format.h"
#include "core/io/formats/nrrd.h"
#include "core/io/formats/text_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seedwave::io {
namespace {

constexpr std::size_t kMostSegmentName = 256;

/// The fields of one segment, as they stand in the header.
struct SegmentFields {
  std::string_view name;
  std::string_view color;
  std::string_view label;
  std::string_view layer;
};

/// Returns the fields by the number of their segment.
std::map<std::int64_t, SegmentFields> fields_in(std::string_view header) {
  constexpr std::string_view kPrefix = "Segment";
  std::map<std::int64_t, SegmentFields> found;
  while (!header.empty()) {
    const std::string_view line = take_line(header);
    if (line.empty()) break;
    const auto assigned = line.find(":=");
    const auto underscore = line.find('_');
    if (!line.starts_with(kPrefix) || assigned == std::string_view::npos || underscore > assigned)
      continue;
    const auto number = integer_of(line.substr(kPrefix.size(), underscore - kPrefix.size()));
    if (!number) continue;
    const std::string_view key = line.substr(underscore + 1, assigned - underscore - 1);
    const std::string_view value = trimmed(line.substr(assigned + 2));
    SegmentFields& segment = found[*number];
    if (key == "Name") segment.name = value;
    if (key == "Color") segment.color = value;
    if (key == "LabelValue") segment.label = value;
    if (key == "Layer") segment.layer = value;
  }
  return found;
}

/// Parses "1 0.5 0", shares of red, green and blue.
std::optional<Rgb> color_in(std::string_view text) {
  const auto words = words_of(text);
  Rgb color{};
  if (words.size() != color.size()) return std::nullopt;
  for (std::size_t i = 0; i < color.size(); ++i) {
    const auto share = number_of(words[i]);
    if (!share || !(*share >= 0 && *share <= 1)) return std::nullopt;
    color[i] = static_cast<std::uint8_t>(std::lround(255 * *share));
  }
  return color;
}

}  // namespace

std::vector<NrrdSegment> read_nrrd_segments(const std::filesystem::path& file) {
  const auto bytes = read_head(file, kMostTextHeader);
  if (!has_mark(bytes, "NRRD000")) return {};
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<NrrdSegment> segments;
  for (const auto& [number, fields] : fields_in(header)) {
    const auto label = integer_of(fields.label);
    const bool in_first_layer = fields.layer.empty() || integer_of(fields.layer) == 0;
    if (!in_first_layer || !label || *label < 1 || *label > std::numeric_limits<Label>::max())
      continue;
    NrrdSegment segment;
    segment.label = static_cast<Label>(*label);
    segment.name = printable(fields.name, kMostSegmentName);
    segment.color = color_in(fields.color).value_or(label_color(segment.label));
    segments.push_back(std::move(segment));
  }
  return segments;
}

}  // namespace seedwave::io
