// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "core/base/number_text.h"
#include "research/bench/inputs.h"
#include "research/bench/normal.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"

#include <cstdint>
#include <string>
#include <utility>

namespace seedwave::bench {
namespace {

/// Maximum length for the algorithm that reads every cell of every window; it is too slow beyond.
constexpr double kLongForNaive = 41.0;

Volume noise_picture(const Index3& size) {
  const Geometry grid{.size = size};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
  for (std::size_t i = 0; i < voxels.size(); ++i)
    voxels[i] = static_cast<std::uint8_t>(hash(i) >> 56);
  return Volume(grid, std::move(voxels));
}

struct Scene {
  std::string name;
  Volume image;
  std::string digest;
};

Scene scene_of(const std::string& kind, Volume image) {
  Scene scene{kind + " " + text_of_size(image.geometry().size), std::move(image), ""};
  scene.digest = xxh64_digest(scene.image.bytes());
  return scene;
}

TimedCase case_on(const Scene& scene, const Operation& operation, const std::string& what,
                  const Values& values) {
  TimedCase timed;
  timed.name = scene.name + what;
  timed.digest = scene.digest;
  timed.request.operation = operation.id;
  timed.request.values = values;
  timed.request.inputs.image = scene.image;
  return timed;
}

Values at_angle(double degrees, double length) {
  Values values;
  values.set("angle", degrees);
  values.set("length", length);
  return values;
}

std::vector<TimedCase> openings_of_images(const Operation& operation, const Index3& size,
                                          Context& context) {
  constexpr double kDegrees[] = {0.0, 30.0, 45.0, 90.0};
  std::vector<TimedCase> cases;
  const auto add = [&](const Scene& scene, double degrees, double length) {
    const std::string what = ", " + number_text(degrees) + " degrees, " + number_text(length);
    cases.push_back(case_on(scene, operation, what, at_angle(degrees, length)));
    if (length > kLongForNaive) cases.back().left_out = {"naive"};
  };
  const Scene hard = scene_of("noise", noise_picture(size));
  for (const double degrees : kDegrees) {
    for (const double length : {11.0, 41.0, 101.0, 251.0})
      add(hard, degrees, length);
  }
  const Scene ordinary = scene_of("tissue", tissue(size, 1.0, context));
  for (const double degrees : kDegrees)
    add(ordinary, degrees, 41.0);
  return cases;
}

std::vector<TimedCase> openings_of_volumes(const Operation& operation, const Scene& scene) {
  std::vector<TimedCase> cases;
  for (const char* direction : {"0,0,1", "1,0.5,0.25"}) {
    Values values;
    values.set("direction", std::string(direction));
    values.set("length", 21.0);
    cases.push_back(case_on(scene, operation, std::string(", along ") + direction, values));
  }
  return cases;
}

}  // namespace

std::vector<TimedCase> line_cases(const Operation& operation, const Index3& size,
                                  Context& context) {
  const bool is_image = size[2] == 1;
  const bool is_one_opening =
      operation.find_parameter("angle") != nullptr && operation.find_parameter("length") != nullptr;
  if (is_one_opening && is_image) return openings_of_images(operation, size, context);
  const Scene scene =
      is_image ? scene_of("noise", noise_picture(size)) : scene_of("head", head(size, context));
  if (is_one_opening) return openings_of_volumes(operation, scene);
  Values values;
  if (operation.find_parameter("length") != nullptr) values.set("length", 41.0);
  return {case_on(scene, operation, "", values)};
}

}  // namespace seedwave::bench
