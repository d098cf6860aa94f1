// SPDX-License-Identifier: Apache-2.0
#include "core/io/seed_json.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace seedwave::io {
namespace {

// 65535 marks a tie inside the solvers and cannot be a label.
constexpr std::int64_t kLastLabel = 65534;
constexpr double kFarthest = 1e6;

Vec3 vector_from_json(const JsonPlace& place, double reach) {
  const auto items = place.items();
  if (items.size() != 3) place.fail("must be three numbers [x, y, z]");
  return {items[0].number(-reach, reach), items[1].number(-reach, reach),
          items[2].number(-reach, reach)};
}

StrokePlane plane_from_json(const JsonPlace& place) {
  StrokePlane plane;
  plane.normal = vector_from_json(place.at("normal"), 1.001);
  const double length = std::hypot(plane.normal[0], plane.normal[1], plane.normal[2]);
  if (std::abs(length - 1.0) > 1e-3) place.fail("must have a normal of length 1");
  plane.thickness_mm = place.at("thickness").number(0, 2 * kLargestRadiusMm);
  return plane;
}

}  // namespace

nlohmann::json strokes_to_json(const SeedSet& seeds) {
  auto list = nlohmann::json::array();
  for (const Stroke& stroke : seeds.strokes) {
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
    list.push_back({{"id", label.id}, {"name", label.name}, {"color", label.color}});
  }
  return list;
}

SeedSet strokes_from_json(const JsonPlace& strokes) {
  SeedSet seeds;
  for (const JsonPlace& item : strokes.items()) {
    Stroke stroke;
    stroke.label = static_cast<std::uint16_t>(item.at("label").integer(0, kLastLabel));
    stroke.radius_mm = item.at("radius").number(0, kLargestRadiusMm);
    const JsonPlace points = item.at("points");
    for (const JsonPlace& point : points.items()) {
      stroke.points.push_back(vector_from_json(point, kFarthest));
    }
    if (stroke.points.empty()) points.fail("must have at least one point");
    if (const auto plane = item.find("plane")) stroke.plane = plane_from_json(*plane);
    seeds.strokes.push_back(std::move(stroke));
  }
  return seeds;
}

std::vector<LabelName> labels_from_json(const JsonPlace& labels) {
  std::vector<LabelName> list;
  for (const JsonPlace& item : labels.items()) {
    LabelName label;
    label.id = static_cast<std::uint16_t>(item.at("id").integer(0, kLastLabel));
    if (const auto name = item.find("name")) label.name = name->text();
    if (const auto color = item.find("color")) label.color = color->text();
    list.push_back(std::move(label));
  }
  return list;
}

}  // namespace seedwave::io
