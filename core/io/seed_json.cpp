// SPDX-License-Identifier: Apache-2.0
#include "core/io/seed_json.h"

#include "core/image/label_map.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <utility>

namespace seedwave::io {
namespace {

constexpr double kFarthest = 1e6;

/// Reads the numbers of a point without a JsonPlace for each of them: a file may hold a million
/// points.
bool read_point(const nlohmann::json& list, const StrokeForm& form, Vec3& point) {
  if (!list.is_array() || list.size() < form.fewest_numbers || list.size() > 3) return false;
  point = {0, 0, 0};
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number()) return false;
    point[i] = list[i].get<double>();
    // Written so that NaN fails as well.
    if (!(std::abs(point[i]) <= kFarthest)) return false;
  }
  return true;
}

std::vector<Vec3> points_from_json(const JsonPlace& place, const StrokeForm& form) {
  const nlohmann::json& list = place.value();
  if (!list.is_array() || list.empty()) place.fail("must be a list of at least one point");
  std::vector<Vec3> points(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (read_point(list[i], form, points[i])) continue;
    place.items()[i].fail(form.fewest_numbers == 3
                              ? "must be three numbers [x, y, z] from -1e6 to 1e6"
                              : "must be two or three numbers [x, y] from -1e6 to 1e6");
  }
  return points;
}

StrokePlane plane_from_json(const JsonPlace& place, const StrokeForm& form) {
  StrokePlane plane;
  const JsonPlace normal = place.at("normal");
  const bool read = read_point(normal.value(), {}, plane.normal);
  const double length = std::hypot(plane.normal[0], plane.normal[1], plane.normal[2]);
  if (!read || std::abs(length - 1.0) > 1e-3) normal.fail("must be [x, y, z] of length 1");
  plane.thickness_mm = place.at("thickness").number(0, 2 * form.largest_radius);
  return plane;
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text.front() == '#' &&
         std::all_of(text.begin() + 1, text.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

nlohmann::json strokes_to_json(const std::vector<Stroke>& strokes) {
  auto list = nlohmann::json::array();
  for (const Stroke& stroke : strokes) {
    nlohmann::json one{
        {"label", stroke.label}, {"radius", stroke.radius_mm}, {"points", stroke.points}};
    if (stroke.plane) {
      one["plane"] = {{"normal", stroke.plane->normal}, {"thickness", stroke.plane->thickness_mm}};
    }
    list.push_back(std::move(one));
  }
  return list;
}

nlohmann::json labels_to_json(const std::vector<LabelName>& labels) {
  auto list = nlohmann::json::array();
  for (const LabelName& label : labels) {
    nlohmann::json one{{"id", label.id}, {"name", label.name}, {"color", label.color}};
    if (label.opacity != 1.0) one["opacity"] = label.opacity;
    list.push_back(std::move(one));
  }
  return list;
}

SeedSet strokes_from_json(const JsonPlace& strokes, const StrokeForm& form) {
  SeedSet seeds;
  for (const JsonPlace& item : strokes.items()) {
    Stroke stroke;
    stroke.label = static_cast<Label>(item.at("label").integer(0, kLargestLabel));
    stroke.radius_mm = item.at("radius").number(0, form.largest_radius);
    stroke.points = points_from_json(item.at("points"), form);
    if (const auto plane = item.find("plane")) stroke.plane = plane_from_json(*plane, form);
    seeds.strokes.push_back(std::move(stroke));
  }
  return seeds;
}

std::vector<LabelName> labels_from_json(const JsonPlace& labels) {
  std::vector<LabelName> list;
  for (const JsonPlace& item : labels.items()) {
    LabelName label;
    label.id = static_cast<Label>(item.at("id").integer(0, kLargestLabel));
    if (const auto name = item.find("name")) label.name = name->text();
    if (const auto color = item.find("color")) {
      label.color = color->text();
      if (!label.color.empty() && !is_color(label.color)) {
        color->fail("must be a colour such as #f0e442");
      }
    }
    if (const auto opacity = item.find("opacity")) label.opacity = opacity->number(0, 1);
    list.push_back(std::move(label));
  }
  return list;
}

}  // namespace seedwave::io
