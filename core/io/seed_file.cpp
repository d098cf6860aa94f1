// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/json_place.h"
#include "core/io/formats/byte_source.h"
#include "core/io/labels.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace seedwave::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Some ten million points; a day of painting makes some ten thousand.
constexpr std::int64_t kMostBytes = std::int64_t{512} << 20;
/// Wider than any body; a picture's pixels are smaller than millimetres.
constexpr double kMostRadiusMm = 1000.0;
constexpr double kMostRadiusPixels = 100000.0;
constexpr double kMostCoordinate = 1e9;

enum class Space { LpsMm, Index, Level0 };

/// What the numbers of the file mean.
struct Frame {
  Space space = Space::LpsMm;
  const Geometry& grid;

  [[nodiscard]] double most_radius() const {
    return grid.unit == LengthUnit::Pixel ? kMostRadiusPixels : kMostRadiusMm;
  }
  [[nodiscard]] Vec3 to_world(const Vec3& point) const {
    return space == Space::Index ? grid.to_world(point) : point;
  }
};

Space read_space(const JsonPlace& root, const Geometry& grid) {
  const JsonPlace place = root.at("space");
  const std::string name = place.text();
  if (name == "LPS-mm") return Space::LpsMm;
  if (name == "index") {
    if (grid.voxel_count() <= 0)
      place.fail("is 'index': that needs the image that the indices count in");
    return Space::Index;
  }
  if (name == "level0-px") {
    if (grid.voxel_count() > 0 && grid.unit != LengthUnit::Pixel) {
      place.fail("is 'level0-px', pixels of a slide or picture, but the image has millimetres");
    }
    return Space::Level0;
  }
  place.fail("must be LPS-mm, index or level0-px");
}

/// A list of three numbers; two where `flat` allows a picture's points.
Vec3 read_vector(const JsonPlace& place, bool flat) {
  const json& list = place.value();
  const std::size_t least = flat ? 2 : 3;
  if (!list.is_array() || list.size() < least || list.size() > 3) {
    place.fail(flat ? "must be a list of two or three numbers" : "must be a list of three numbers");
  }
  Vec3 vector{0, 0, 0};
  for (std::size_t i = 0; i < list.size(); ++i) {
    vector[i] = list[i].is_number() ? list[i].get<double>() : std::nan("");
    if (!(std::abs(vector[i]) <= kMostCoordinate)) place.fail("must hold numbers up to 1e9");
  }
  return vector;
}

StrokePlane read_plane(const JsonPlace& place, const Frame& frame) {
  StrokePlane plane;
  plane.normal = read_vector(place.at("normal"), false);
  const double length = std::hypot(plane.normal[0], plane.normal[1], plane.normal[2]);
  if (length < 1e-6) place.at("normal").fail("must have a length");
  for (double& part : plane.normal)
    part /= length;
  plane.thickness_mm = place.at("thickness").number(0.0, frame.most_radius());
  return plane;
}

Stroke read_stroke(const JsonPlace& place, const Frame& frame) {
  Stroke stroke;
  stroke.label = static_cast<std::uint16_t>(place.at("label").integer(0, 65535));
  stroke.radius_mm = place.at("radius").number(0.0, frame.most_radius());
  const JsonPlace points = place.at("points");
  if (!points.value().is_array() || points.value().empty()) points.fail("must be a list of points");
  const bool flat =
      frame.space == Space::Level0 || (frame.space == Space::Index && frame.grid.is_2d());
  stroke.points.reserve(points.value().size());
  for (const JsonPlace& point : points.items())
    stroke.points.push_back(frame.to_world(read_vector(point, flat)));
  if (const auto plane = place.find("plane")) stroke.plane = read_plane(*plane, frame);
  return stroke;
}

LabelName read_label(const JsonPlace& place) {
  LabelName label;
  label.id = static_cast<std::uint16_t>(place.at("id").integer(0, 65535));
  if (const auto name = place.find("name")) label.name = name->text();
  if (const auto color = place.find("color")) label.color = color->text();
  const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  const bool valid = label.color.size() == 7 && label.color.front() == '#' &&
                     std::all_of(label.color.begin() + 1, label.color.end(), is_hex);
  if (!label.color.empty() && !valid) place.at("color").fail("must be a colour such as #f0e442");
  return label;
}

json to_json(const Vec3& vector, LengthUnit unit) {
  return unit == LengthUnit::Pixel ? json{vector[0], vector[1]}
                                   : json{vector[0], vector[1], vector[2]};
}

json to_json(const Stroke& stroke, LengthUnit unit) {
  json points = json::array();
  for (const Vec3& point : stroke.points)
    points.push_back(to_json(point, unit));
  json object = {
      {"label", stroke.label}, {"radius", stroke.radius_mm}, {"points", std::move(points)}};
  if (stroke.plane) {
    object["plane"] = {{"normal", to_json(stroke.plane->normal, LengthUnit::Millimetre)},
                       {"thickness", stroke.plane->thickness_mm}};
  }
  return object;
}

}  // namespace

SeedFile load_seeds(const fs::path& path, const Geometry& grid) {
  const json document = parse_json(read_text(path, kMostBytes), path.string());
  const JsonPlace root(document, path.string());
  if (root.at("kind").text() != "seeds") root.at("kind").fail("must be 'seeds'");
  (void)root.at("seedwave").integer(1, 1);
  const Frame frame{read_space(root, grid), grid};
  SeedFile file;
  file.unit = frame.space == Space::Level0  ? LengthUnit::Pixel
              : frame.space == Space::Index ? grid.unit
                                            : LengthUnit::Millimetre;
  if (const auto labels = root.find("labels")) {
    for (const JsonPlace& label : labels->items())
      file.labels.push_back(read_label(label));
  }
  for (const JsonPlace& stroke : root.at("strokes").items())
    file.seeds.strokes.push_back(read_stroke(stroke, frame));
  return file;
}

void save_seeds(const fs::path& path, const SeedFile& file) {
  json labels = json::array();
  for (const LabelName& label : file.labels) {
    json object = {{"id", label.id}, {"name", label.name}};
    if (!label.color.empty()) object["color"] = label.color;
    labels.push_back(std::move(object));
  }
  json strokes = json::array();
  for (const Stroke& stroke : file.seeds.strokes)
    strokes.push_back(to_json(stroke, file.unit));
  const json document = {{"seedwave", 1},
                         {"kind", "seeds"},
                         {"space", file.unit == LengthUnit::Pixel ? "level0-px" : "LPS-mm"},
                         {"labels", std::move(labels)},
                         {"strokes", std::move(strokes)}};
  // A name that is not UTF-8 must not keep the strokes from being saved.
  write_atomically(path, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

bool is_seed_file(const fs::path& path) {
  const auto head = read_head(path, 4096);
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  // Every image format that is read starts with a mark that is not a brace.
  return first != std::string_view::npos && text[first] == '{';
}

}  // namespace seedwave::io
