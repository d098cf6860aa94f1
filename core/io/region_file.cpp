// SPDX-License-Identifier: Apache-2.0
#include "core/io/region_file.h"

#include "core/base/checked_size.h"
#include "core/base/error.h"
#include "core/base/json_place.h"
#include "core/base/number_text.h"
#include "core/image/label_color.h"
#include "core/image/label_rings.h"
#include "core/image/polygon_spans.h"
#include "core/io/formats/byte_source.h"
#include "core/io/formats/text_fields.h"
#include "core/io/label_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;
/// Bytes of memory to a byte of text, by measurement.
constexpr std::int64_t kMemoryToText = 10;
constexpr double kFarthestPoint = 1e9;
/// GeometryCollections in each other.
constexpr int kDeepest = 8;
/// Some seconds of drawing.
constexpr double kMostPixels = 2e10;
/// Numbers beyond are those of objects rather than of labels.
constexpr Label kLargestOfLabels = 255;
/// Fewer labels are never taken for objects by their shape.
constexpr std::size_t kFewestObjects = 16;

/// Pixels of level 0 from its corner, as a function of those of a grid, along one axis.
struct Scale {
  double factor = 1.0;
  double offset = 0.0;

  /// Coordinates that are whole but for rounding are whole.
  [[nodiscard]] double to_level0(double corner) const {
    const double exact = corner * factor + offset;
    constexpr double kRounding = 1e-6;
    const double whole = std::round(exact);
    return std::abs(exact - whole) < kRounding ? whole : exact;
  }
  [[nodiscard]] double to_grid(double level0) const { return (level0 - offset) / factor; }
};

std::array<Scale, 2> scales_of(const Geometry& grid, const Geometry& level0) {
  std::array<Scale, 2> scales;
  if (level0.voxel_count() == 0) return scales;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double step = level0.spacing[axis];
    const double edge = grid.origin[axis] - 0.5 * grid.spacing[axis];
    const double edge0 = level0.origin[axis] - 0.5 * step;
    scales[axis] = {grid.spacing[axis] / step, (edge - edge0) / step};
  }
  return scales;
}

// Writing.

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Returns "[200,0,0]".
std::string text_of(const Rgb& rgb) {
  return "[" + std::to_string(rgb[0]) + "," + std::to_string(rgb[1]) + "," +
         std::to_string(rgb[2]) + "]";
}

/// Closed, as the format demands: the first point comes again at the end.
template <typename AnyRing>
void append(std::string& text, const AnyRing& ring, const std::array<Scale, 2>& scales) {
  text += '[';
  for (std::size_t i = 0; i <= ring.size(); ++i) {
    const auto& corner = ring[i % ring.size()];
    if (i > 0) text += ',';
    text += '[' + number_text(scales[0].to_level0(static_cast<double>(corner[0]))) + ',' +
            number_text(scales[1].to_level0(static_cast<double>(corner[1]))) + ']';
  }
  text += ']';
}

void append(std::string& text, const LabelRegion& region, const std::array<Scale, 2>& scales) {
  text += '[';
  append(text, region.outer, scales);
  for (const Ring& hole : region.holes) {
    text += ',';
    append(text, hole, scales);
  }
  text += ']';
}

void append(std::string& text, const RegionPolygon& polygon, const std::array<Scale, 2>& scales) {
  text += '[';
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (i > 0) text += ',';
    append(text, polygon[i], scales);
  }
  text += ']';
}

/// Returns the beginning of a feature: all but its properties.
template <typename AreaAt>
std::string geometry_text(std::size_t areas, AreaAt area_at, const std::array<Scale, 2>& scales) {
  std::string text = R"({"type":"Feature","geometry":{"type":)";
  text += areas == 1 ? R"("Polygon","coordinates":)" : R"("MultiPolygon","coordinates":[)";
  for (std::size_t i = 0; i < areas; ++i) {
    if (i > 0) text += ',';
    append(text, area_at(i), scales);
  }
  return text + (areas == 1 ? "}" : "]}");
}

/// Changes rings to those through the middles of pixel edges, and scales to halves of a pixel.
void take_midpoints(std::vector<LabelRegion>& regions, std::array<Scale, 2>& scales) {
  for (LabelRegion& region : regions) {
    region.outer = midpoint_ring(region.outer);
    for (Ring& hole : region.holes)
      hole = midpoint_ring(hole);
  }
  for (Scale& scale : scales)
    scale.factor *= 0.5;
}

/// Returns the class of a label, as a property.
std::string class_text(Label label, const std::vector<LabelName>& names) {
  const LabelName name = completed_name(label, names);
  return R"("classification":{"name":)" + quoted(name.name) + R"(,"color":)" +
         text_of(rgb_of(name.color).value_or(Rgb{})) + "}";
}

using RegionsByLabel = std::map<Label, std::vector<const LabelRegion*>>;

/// Returns whether labels without names number objects: by numbers that no labels have, or since
/// they are many and at least nine of ten are in one piece.
bool are_objects(const RegionsByLabel& by_label) {
  if (by_label.empty()) return false;
  if (by_label.rbegin()->first > kLargestOfLabels) return true;
  const auto whole =
      std::ranges::count_if(by_label, [](const auto& label) { return label.second.size() == 1; });
  return by_label.size() >= kFewestObjects && whole * 10 >= std::ssize(by_label) * 9;
}

std::string feature_of(Label label, const std::vector<const LabelRegion*>& regions, bool is_object,
                       const std::vector<LabelName>& names, const std::array<Scale, 2>& scales) {
  std::string text = geometry_text(
      regions.size(), [&](std::size_t i) -> const LabelRegion& { return *regions[i]; }, scales);
  if (is_object) {
    text += R"(,"properties":{"objectType":"detection")";
  } else {
    text += R"(,"properties":{"objectType":"annotation",)" + class_text(label, names) +
            R"(,"isLocked":true)";
  }
  return text + R"(,"metadata":{"label":")" + std::to_string(label) + "\"}}}";
}

std::string feature_of(const Region& region, const std::vector<LabelName>& names,
                       const std::array<Scale, 2>& scales) {
  std::string text = geometry_text(
      region.polygons.size(),
      [&](std::size_t i) -> const RegionPolygon& { return region.polygons[i]; }, scales);
  text += region.is_object ? R"(,"properties":{"objectType":"detection")"
                           : R"(,"properties":{"objectType":"annotation")";
  if (!region.name.empty()) text += R"(,"name":)" + quoted(region.name);
  if (region.label != 0) text += ',' + class_text(region.label, names);
  return text + "}}";
}

/// Returns the pixels of a grid from its corner as a function of the world.
std::array<Scale, 2> scales_of_world(const Geometry& grid) {
  std::array<Scale, 2> scales;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double step = grid.spacing[axis];
    scales[axis] = {1.0 / step, 0.5 - grid.origin[axis] / step};
  }
  return scales;
}

// Reading.

using Point = RegionPoint;
using Polygon =
    RegionPolygon;  // in the coordinates that are wanted: the world, or pixels of a grid

struct Feature {
  std::vector<Polygon> polygons;
  std::optional<Label> label{};
  std::string name{};  // of its class or, without one, its own; "" if it has none
  bool has_class = false;
  std::string own_name{};
  std::string color{};  // "#rrggbb", or ""
  bool is_object = false;
};

/// Returns the colour of [r, g, b], or of a packed number as older files have it; "" for others.
std::string color_of(const nlohmann::json& value) {
  if (value.is_number_integer()) {
    const auto packed = static_cast<std::uint64_t>(value.get<std::int64_t>());
    return to_hex({static_cast<std::uint8_t>(packed >> 16U),
                   static_cast<std::uint8_t>(packed >> 8U), static_cast<std::uint8_t>(packed)});
  }
  if (!value.is_array() || value.size() < 3) return {};
  Rgb rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!value[i].is_number()) return {};
    rgb[i] = static_cast<std::uint8_t>(std::clamp(value[i].get<double>(), 0.0, 255.0));
  }
  return to_hex(rgb);
}

/// Returns a text without the control characters of ASCII, which a terminal would obey; "" if it is
/// no text.
std::string plain_text(const nlohmann::json& value) {
  if (!value.is_string()) return {};
  auto text = value.get<std::string>();
  constexpr char kDelete = 0x7F;
  std::ranges::replace_if(
      text, [](char c) { return (c >= 0 && c < ' ') || c == kDelete; }, ' ');
  return text;
}

std::string text_in(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() ? plain_text(*found) : std::string();
}

/// Returns whether a kind is that of an object, such as "detection".
bool is_kind_of_object(const std::string& kind) {
  const std::string lower = lower_case(kind);
  return std::ranges::any_of(std::array{"detection", "cell", "tile"}, [&](const char* object) {
    return lower.find(object) != std::string::npos;
  });
}

/// Returns the name of a class. One that is derived from another has both names: QuPath writes a
/// list of them, before its version 0.4 a chain of parents.
std::string class_name(const nlohmann::json& classification) {
  constexpr int kMostParents = 16;
  std::string name = text_in(classification, "name");
  if (const auto names = classification.find("names");
      names != classification.end() && names->is_array()) {
    for (const nlohmann::json& part : *names) {
      if (part.is_string()) name += (name.empty() ? "" : ": ") + plain_text(part);
    }
  }
  const nlohmann::json* of = &classification;
  for (int level = 0; level < kMostParents; ++level) {
    const auto parent = of->find("parentClass");
    if (parent == of->end() || !parent->is_object()) break;
    of = &*parent;
    if (const std::string first = text_in(*of, "name"); !first.empty()) name = first + ": " + name;
  }
  return name;
}

/// Reads features, and counts what is no area.
class FeatureReader {
 public:
  FeatureReader(std::array<Scale, 2> scales, Context& context)
      : scales_(scales), context_(context) {}

  void read(const JsonPlace& root) {
    if (root.value().is_array()) {
      read_all(root.items());
    } else if (text_in(root.value(), "type") == "Feature") {
      read_feature(root);
    } else {
      if (root.at("type").text() != "FeatureCollection")
        root.at("type").fail("must be FeatureCollection or Feature");
      read_all(root.at("features").items());
    }
  }
  [[nodiscard]] const std::vector<Feature>& features() const noexcept { return features_; }
  [[nodiscard]] std::int64_t left_out() const noexcept { return left_out_; }

 private:
  void read_all(const std::vector<JsonPlace>& places) {
    for (const JsonPlace& place : places)
      read_feature(place);
  }

  void read_feature(const JsonPlace& place) {
    context_.checkpoint(0.0);
    Feature feature;
    const auto geometry = place.find("geometry");
    if (!geometry) return;
    read_geometry(*geometry, feature, 0);
    // QuPath before 0.3 names the kind beside the properties.
    static const std::set<std::string> kKinds{"PathDetectionObject", "PathCellObject",
                                              "PathTileObject"};
    feature.is_object = kKinds.contains(text_in(place.value(), "id"));
    if (const auto properties = place.find("properties"))
      read_properties(properties->value(), feature);
    if (!feature.polygons.empty()) features_.push_back(std::move(feature));
  }

  void read_geometry(const JsonPlace& place, Feature& feature, int depth) {
    const std::string type = place.at("type").text();
    if (type == "Polygon") {
      feature.polygons.push_back(polygon(place.at("coordinates")));
    } else if (type == "MultiPolygon") {
      for (const JsonPlace& each : place.at("coordinates").items())
        feature.polygons.push_back(polygon(each));
    } else if (type == "GeometryCollection") {
      if (depth == kDeepest) place.fail("is nested too deep");
      for (const JsonPlace& each : place.at("geometries").items())
        read_geometry(each, feature, depth + 1);
    } else {
      ++left_out_;
    }
  }

  Polygon polygon(const JsonPlace& place) {
    Polygon rings;
    for (const JsonPlace& ring : place.items()) {
      context_.checkpoint(0.0);
      rings.push_back(points(ring));
    }
    return rings;
  }

  /// Without a JsonPlace for each point: a ring may have a million.
  std::vector<Point> points(const JsonPlace& place) {
    const nlohmann::json& list = place.value();
    if (!list.is_array()) place.fail("must be a list of points");
    std::vector<Point> ring;
    ring.reserve(list.size());
    for (const nlohmann::json& point : list) {
      const bool is_point =
          point.is_array() && point.size() >= 2 && point[0].is_number() && point[1].is_number();
      if (!is_point) place.fail("must be a list of points [x, y]");
      Point read{};
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto value = point[axis].get<double>();
        // Written so that NaN fails as well.
        if (!(std::abs(value) <= kFarthestPoint)) place.fail("has a point beyond 1e9");
        read[axis] = scales_[axis].to_grid(value);
      }
      ring.push_back(read);
    }
    return ring;
  }

  /// Other programs write what they like: what is not understood is not needed.
  static void read_properties(const nlohmann::json& properties, Feature& feature) {
    if (!properties.is_object()) return;
    for (const char* key : {"objectType", "object_type", "type"})
      feature.is_object = feature.is_object || is_kind_of_object(text_in(properties, key));
    feature.own_name = text_in(properties, "name");
    const auto classification = properties.find("classification");
    if (classification != properties.end() && classification->is_object()) {
      feature.name = class_name(*classification);
      feature.has_class = true;
      for (const char* key : {"color", "colorRGB"}) {
        if (feature.color.empty() && classification->contains(key))
          feature.color = color_of(classification->at(key));
      }
    } else if (!feature.is_object) {
      feature.name = feature.own_name;
      if (properties.contains("color")) feature.color = color_of(properties.at("color"));
    }
    const auto metadata = properties.find("metadata");
    if (metadata == properties.end() || !metadata->is_object()) return;
    const auto number = parse_number(text_in(*metadata, "label"));
    constexpr double kMost = 4294967294.0;
    if (number && *number >= 1.0 && *number <= kMost && *number == std::floor(*number))
      feature.label = static_cast<Label>(*number);
  }

  std::array<Scale, 2> scales_;
  Context& context_;
  std::vector<Feature> features_;
  std::int64_t left_out_ = 0;
};

/// Gives numbers to features: their own, or the next that is free.
std::vector<Label> numbers_of(const std::vector<Feature>& features) {
  std::set<Label> taken;
  for (const Feature& feature : features) {
    if (feature.label) taken.insert(*feature.label);
  }
  Label next = 0;
  const auto free = [&] {
    do {
      ++next;
    } while (taken.contains(next));
    return next;
  };
  std::map<std::string, Label> by_class;
  std::vector<Label> numbers;
  numbers.reserve(features.size());
  for (const Feature& feature : features) {
    if (feature.label) {
      numbers.push_back(*feature.label);
      if (!feature.name.empty()) by_class.emplace(feature.name, *feature.label);
      continue;
    }
    if (feature.is_object && feature.name.empty()) {
      numbers.push_back(free());
      continue;
    }
    const auto [found, is_new] = by_class.emplace(feature.name, 0);
    if (is_new) found->second = free();
    numbers.push_back(found->second);
  }
  return numbers;
}

/// Draws polygons, row by row, by the even-odd rule.
class Drawing {
 public:
  Drawing(const Geometry& grid, const fs::path& file, Context& context)
      : spans_(grid.size[0], grid.size[1]),
        width_(grid.size[0]),
        file_(file),
        context_(context),
        labels_(static_cast<std::size_t>(grid.voxel_count())) {}

  void add(const Polygon& polygon, Label label) {
    for (const PixelSpan& span : spans_of(polygon)) {
      pixels_ += static_cast<double>(span.end - span.begin);
      if (pixels_ > kMostPixels) refuse();
      if (span.row % 256 == 0) context_.checkpoint(0.0);
      const auto row = labels_.begin() + span.row * width_;
      std::fill(row + span.begin, row + span.end, label);
    }
  }
  [[nodiscard]] std::vector<Label> take() { return std::move(labels_); }

 private:
  [[nodiscard]] const std::vector<PixelSpan>& spans_of(const Polygon& polygon) {
    try {
      return spans_.of(polygon);
    } catch (const InputError&) {
      refuse();
    }
  }

  [[noreturn]] void refuse() const {
    throw InputError(file_.string() + " has regions that would take very long to draw");
  }

  PolygonSpans spans_;
  std::int64_t width_;
  const fs::path& file_;
  Context& context_;
  std::vector<Label> labels_;
  double pixels_ = 0.0;
};

}  // namespace

bool is_region_file(const fs::path& path) {
  return lower_case(path.extension().string()) == ".geojson";
}

void check_region_grid(const fs::path& path, const Geometry& geometry) {
  if (geometry.is_2d()) return;
  throw OutputError("cannot write " + path.string() + ": regions are of images, not of volumes");
}

void save_regions(OutputSet& outputs, const fs::path& path, const LabelMap& labels,
                  const std::vector<LabelName>& names, const Geometry& level0, Context& context,
                  RegionOutline outline) {
  check_region_grid(path, labels.geometry());
  std::array<Scale, 2> scales = scales_of(labels.geometry(), level0);
  std::vector<LabelRegion> regions = regions_of(labels, [&context] { context.checkpoint(0.0); });
  if (outline == RegionOutline::Midpoints) take_midpoints(regions, scales);
  RegionsByLabel by_label;
  for (const LabelRegion& region : regions)
    by_label[region.label].push_back(&region);
  const bool as_objects = names.empty() && are_objects(by_label);
  AtomicFile& file = outputs.create(path);
  file.write(R"({"type":"FeatureCollection","features":[)");
  const char* separator = "\n";
  for (const auto& [label, of] : by_label) {
    context.checkpoint(0.0);
    // One feature a line: readable, and no text of the size of the file.
    file.write(separator + feature_of(label, of, as_objects, names, scales));
    separator = ",\n";
  }
  file.write("\n]}\n");
}

void save_regions(OutputSet& outputs, const fs::path& path, const Regions& regions,
                  const std::vector<LabelName>& names, const Geometry& grid, Context& context) {
  check_region_grid(path, grid);
  const std::array<Scale, 2> scales = scales_of_world(grid);
  AtomicFile& file = outputs.create(path);
  file.write(R"({"type":"FeatureCollection","features":[)");
  const char* separator = "\n";
  for (const auto& region : regions) {
    context.checkpoint(0.0);
    if (region->polygons.empty()) continue;
    file.write(separator + feature_of(*region, names, scales));
    separator = ",\n";
  }
  file.write("\n]}\n");
}

namespace {

/// The features of a file, with their numbers.
struct ReadFeatures {
  std::vector<Feature> features;
  std::vector<Label> numbers;
  std::vector<LabelName> names;
  std::vector<std::string> warnings;
};

/// `scales`: pixels of level 0 as functions of the coordinates that are wanted.
ReadFeatures read_features(const fs::path& path, const std::array<Scale, 2>& scales,
                           Context& context) {
  std::error_code none;
  const auto bytes = static_cast<std::int64_t>(fs::file_size(path, none));
  if (!none) require_memory(CheckedSize(bytes) * kMemoryToText, path.string());
  const nlohmann::json document = parse_json(read_text(path, kMostBytes), path.string());
  FeatureReader reader(scales, context);
  reader.read(JsonPlace(document, path.string()));
  ReadFeatures read{.features = reader.features(), .numbers = numbers_of(reader.features())};
  std::set<Label> named;
  for (std::size_t i = 0; i < read.features.size(); ++i) {
    const Feature& feature = read.features[i];
    if (!feature.name.empty() && named.insert(read.numbers[i]).second)
      read.names.push_back({.id = read.numbers[i], .name = feature.name, .color = feature.color});
  }
  if (reader.left_out() > 0) {
    read.warnings.push_back(std::to_string(reader.left_out()) + " points or lines of " +
                            path.string() + " are left out: only areas are read");
  }
  return read;
}

}  // namespace

ReadRegions read_regions(const fs::path& path, const Geometry& grid, Context& context) {
  if (!grid.is_2d()) throw InputError(path.string() + " has regions of an image, not of a volume");
  ReadFeatures read = read_features(path, scales_of_world(grid), context);
  ReadRegions regions{.names = std::move(read.names), .warnings = std::move(read.warnings)};
  for (std::size_t i = 0; i < read.features.size(); ++i) {
    Feature& feature = read.features[i];
    for (RegionPolygon& polygon : feature.polygons) {
      for (RegionRing& ring : polygon) {
        if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
      }
    }
    const bool is_named_by_class = feature.own_name == feature.name;
    regions.classes.push_back(feature.has_class ? feature.name : std::string());
    regions.regions.push_back(std::make_shared<const Region>(
        Region{.label = feature.name.empty() ? Label{0} : read.numbers[i],
               .name = is_named_by_class ? std::string() : std::move(feature.own_name),
               .is_object = feature.is_object,
               .polygons = std::move(feature.polygons)}));
  }
  return regions;
}

DrawnRegions load_regions(const fs::path& path, const Geometry& grid, const Geometry& level0,
                          Context& context) {
  if (!grid.is_2d()) throw InputError(path.string() + " has regions of an image, not of a volume");
  ReadFeatures read = read_features(path, scales_of(grid, level0), context);
  Drawing drawing(grid, path, context);
  for (std::size_t i = 0; i < read.features.size(); ++i) {
    for (const Polygon& polygon : read.features[i].polygons)
      drawing.add(polygon, read.numbers[i]);
  }
  const std::vector<Label> labels = drawing.take();
  const Label most = labels.empty() ? 0 : *std::ranges::max_element(labels);
  DrawnRegions drawn{.names = std::move(read.names), .warnings = std::move(read.warnings)};
  drawn.labels = make_labels(grid, most, [&]<typename T>(std::vector<T>& to) {
    std::ranges::transform(labels, to.begin(), [](Label label) { return static_cast<T>(label); });
  });
  return drawn;
}

}  // namespace seedwave::io
