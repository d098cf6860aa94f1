// SPDX-License-Identifier: Apache-2.0
#include "core/io/label_table.h"

#include "core/base/error.h"
#include "core/base/file_name.h"
#include "core/base/number_text.h"
#include "core/image/label_color.h"
#include "core/image/label_map.h"
#include "core/io/formats/byte_source.h"
#include "core/io/formats/nrrd.h"
#include "core/io/formats/text_fields.h"
#include "core/io/region_file.h"
#include "core/io/save.h"
#include "core/parallel/label_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostTableBytes = std::int64_t{16} << 20;
constexpr std::size_t kMostName = 256;

/// One line of a table, with its file and number for error messages.
struct Line {
  const std::string& file;
  int number = 0;
  std::vector<std::string_view> words;

  [[noreturn]] void fail(const std::string& complaint) const {
    throw InputError(file + ", line " + std::to_string(number) + ": " + complaint);
  }
  [[nodiscard]] std::int64_t integer(std::size_t word, std::int64_t most) const {
    const auto value = word < words.size() ? integer_of(words[word]) : std::nullopt;
    if (!value || *value < 0 || *value > most) {
      fail("word " + std::to_string(word + 1) + " must be a whole number from 0 to " +
           std::to_string(most));
    }
    return *value;
  }
  [[nodiscard]] double share(std::size_t word) const {
    const auto value = word < words.size() ? number_of(words[word]) : std::nullopt;
    if (!value || !(*value >= 0 && *value <= 1)) {
      fail("word " + std::to_string(word + 1) + " must be a number from 0 to 1");
    }
    return *value;
  }
};

std::string color_at(const Line& line, std::size_t word) {
  Rgb color{};
  for (std::size_t i = 0; i < 3; ++i)
    color[i] = static_cast<std::uint8_t>(line.integer(word + i, 255));
  return to_hex(color);
}

/// Parses `IDX R G B A VIS MSH "NAME"`.
LabelName read_description(const Line& line, std::string_view text) {
  LabelName label;
  label.id = static_cast<Label>(line.integer(0, std::numeric_limits<Label>::max()));
  label.color = color_at(line, 1);
  label.opacity = line.share(4);
  const auto begin = text.find('"');
  const auto end = text.rfind('"');
  if (begin == end) line.fail("the name must be in quotes");
  label.name = printable(text.substr(begin + 1, end - begin - 1), kMostName);
  return label;
}

/// Parses `id name r g b a`; blanks in the name are underscores, colours 0 to 255.
LabelName read_color(const Line& line) {
  LabelName label;
  if (line.words.size() < 6) line.fail("must have six words: id name r g b a");
  label.id = static_cast<Label>(line.integer(0, std::numeric_limits<Label>::max()));
  label.name = printable(line.words[1], kMostName);
  std::replace(label.name.begin(), label.name.end(), '_', ' ');
  label.color = color_at(line, 2);
  label.opacity = static_cast<double>(line.integer(5, 255)) / 255.0;
  return label;
}

Rgb color_of(const LabelName& label) {
  return rgb_of(label.color).value_or(label_color(label.id));
}

std::string numbers_of(const Rgb& color) {
  return std::to_string(color[0]) + " " + std::to_string(color[1]) + " " + std::to_string(color[2]);
}

/// Returns a name that fits into a line: without quotes and line ends.
std::string name_of(const LabelName& label) {
  std::string name =
      label.name.empty() ? "Label " + std::to_string(label.id) : printable(label.name, kMostName);
  std::replace(name.begin(), name.end(), '"', '\'');
  return name;
}

std::string color_table(const std::vector<LabelName>& labels) {
  std::string text = "# Color table written by Seedwave\n0 background 0 0 0 0\n";
  for (const LabelName& label : labels) {
    std::string name = name_of(label);
    std::replace(name.begin(), name.end(), ' ', '_');
    text += std::to_string(label.id) + " " + name + " " + numbers_of(color_of(label)) + " " +
            std::to_string(std::lround(255 * std::clamp(label.opacity, 0.0, 1.0))) + "\n";
  }
  return text;
}

std::string descriptions(const std::vector<LabelName>& labels) {
  std::string text =
      "################################################\n"
      "# ITK-SnAP Label Description File\n"
      "# File format:\n"
      "# IDX   -R-  -G-  -B-  -A--  VIS MSH  LABEL\n"
      "################################################\n"
      "0 0 0 0 0 0 0 \"Clear Label\"\n";
  for (const LabelName& label : labels) {
    text += std::to_string(label.id) + " " + numbers_of(color_of(label)) + " " +
            number_text(std::clamp(label.opacity, 0.0, 1.0)) + " 1 1 \"" + name_of(label) + "\"\n";
  }
  return text;
}

}  // namespace

std::vector<LabelName> load_label_table(const fs::path& path) {
  const std::string file = path.string();
  const std::string text = read_text(path, kMostTableBytes);
  std::vector<LabelName> labels;
  std::string_view rest = text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = trimmed(take_line(rest));
    if (line.empty() || line.starts_with('#')) continue;
    const Line parsed{file, number, words_of(line)};
    // Only label descriptions have names in quotes.
    const bool quoted = line.find('"') != std::string_view::npos;
    LabelName label = quoted ? read_description(parsed, line) : read_color(parsed);
    if (label.id != 0) labels.push_back(std::move(label));
  }
  if (labels.empty()) throw InputError(file + " names no labels");
  return labels;
}

std::vector<LabelName> load_label_names(const fs::path& path, const Geometry& grid) {
  return is_seed_file(path) ? load_seeds(path, grid).labels : load_label_table(path);
}

StoredNames stored_names(const fs::path& labels) {
  StoredNames found;
  for (const char* suffix : {".label", ".ctbl"}) {
    const fs::path table = without_gz(labels).replace_extension(suffix);
    std::error_code none;
    if (!fs::is_regular_file(table, none)) continue;
    try {
      found.names = load_label_table(table);
      return found;
    } catch (const InputError& error) {
      found.warnings.push_back(std::string("the label names were not loaded: ") + error.what());
    }
  }
  std::error_code none;
  if (!fs::is_regular_file(labels, none)) return found;
  if (is_region_file(labels)) {
    Geometry any;
    any.size = {1, 1, 1};
    Context context;
    DrawnRegions regions = load_regions(labels, any, {}, context);
    return {std::move(regions.names), std::move(regions.warnings)};
  }
  for (const NrrdSegment& segment : read_nrrd_segments(labels))
    found.names.push_back(
        {.id = segment.label, .name = segment.name, .color = to_hex(segment.color)});
  return found;
}

LabelName completed_name(Label id, const std::vector<LabelName>& names) {
  const auto named = std::find_if(names.begin(), names.end(),
                                  [id](const LabelName& name) { return name.id == id; });
  LabelName label = named != names.end() ? *named : LabelName{.id = id};
  label.name = name_of(label);
  label.color = to_hex(color_of(label));
  return label;
}

void save_named_labels(const fs::path& path, const LabelMap& labels,
                       const std::vector<LabelName>& names, const Geometry& level0) {
  OutputSet outputs;
  save_named_labels(outputs, path, labels, names, level0);
  outputs.commit();
}

void save_named_labels(OutputSet& outputs, const fs::path& path, const LabelMap& labels,
                       const std::vector<LabelName>& names, const Geometry& level0) {
  Context context;
  if (is_region_file(path)) return save_regions(outputs, path, labels, names, level0, context);
  if (lower_case(path.extension().string()) != ".nrrd") return save_labels(outputs, path, labels);
  std::vector<NrrdSegment> segments;
  for (const auto& [id, extent] : label_boxes(labels, context)) {
    const LabelName label = completed_name(id, names);
    segments.push_back({id, label.name, color_of(label), extent});
  }
  const LabelMap placed = labels.on_grid(in_millimetres(labels.geometry()));
  write_nrrd(outputs, path, volume_of(placed), segments);
}

void save_label_table(const fs::path& path, const std::vector<LabelName>& labels) {
  std::vector<LabelName> named = labels;
  std::erase_if(named, [](const LabelName& label) { return label.id == 0; });
  const bool slicer = lower_case(path.extension().string()) == ".ctbl";
  write_atomically(path, slicer ? color_table(named) : descriptions(named));
}

}  // namespace seedwave::io
