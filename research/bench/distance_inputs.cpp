// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"
#include "research/bench/inputs.h"
#include "research/bench/timing.h"
#include "research/bench/tissue.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace seedwave::bench {
namespace {

constexpr std::int64_t kImagePoints = 1000;
constexpr std::int64_t kVolumePoints = 500;

/// Returns an image that is 1 where keep(offset), else 0.
template <typename Keep>
Volume objects(const Index3& size, Keep&& keep) {
  const Geometry grid{.size = size};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()));
  for (std::int64_t i = 0; i < grid.voxel_count(); ++i)
    voxels[static_cast<std::size_t>(i)] = keep(i) ? 1 : 0;
  return Volume(grid, std::move(voxels));
}

/// Returns `count` places, the same on every machine; some may coincide.
std::vector<std::int64_t> places(std::int64_t count, std::int64_t voxels) {
  std::mt19937_64 random(3);
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < count; ++i)
    found.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(voxels)));
  return found;
}

Volume all_but(const Index3& size, const std::vector<std::int64_t>& background) {
  const Geometry grid{.size = size};
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.voxel_count()), 1);
  for (const std::int64_t i : background)
    voxels[static_cast<std::size_t>(i)] = 0;
  return Volume(grid, std::move(voxels));
}

Volume disc(const Index3& size) {
  constexpr double kShare = 0.49;  // radius as a fraction of the image's width
  const double radius = kShare * static_cast<double>(std::min(size[0], size[1]));
  const std::int64_t middle_x = size[0] / 2;
  const std::int64_t middle_y = size[1] / 2;
  return objects(size, [&](std::int64_t i) {
    const std::int64_t row = i / size[0];
    const auto x = static_cast<double>(i % size[0] - middle_x);
    const auto y = static_cast<double>(row - middle_y);
    return x * x + y * y < radius * radius;
  });
}

Volume labelled(const Index3& size, const std::vector<std::int64_t>& points) {
  const Geometry grid{.size = size};
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(grid.voxel_count()));
  std::uint16_t label = 0;
  for (const std::int64_t i : points)
    labels[static_cast<std::size_t>(i)] = ++label;
  return Volume(grid, std::move(labels));
}

}  // namespace

std::vector<TimedCase> distance_cases(const Operation& operation, const Index3& size,
                                      Context& context) {
  const bool image = size[2] == 1;
  const std::int64_t count = size[0] * size[1] * size[2];
  const auto points = places(image ? kImagePoints : kVolumePoints, count);
  const std::string sparse = std::to_string(points.size());
  std::vector<TimedCase> cases;
  const auto add = [&](const std::string& name, const Volume& input) {
    TimedCase timed;
    // Takes minutes if waves travel far.
    if (cases.size() > 1) timed.left_out = {"iwpp-edt"};
    timed.name = name + " " + text_of_size(size);
    timed.digest = xxh64_digest(input.bytes());
    timed.request.operation = operation.id;
    timed.request.inputs.image = input;
    cases.push_back(std::move(timed));
  };
  if (operation.id == "influence-zones") {
    add(sparse + " points", labelled(size, points));
    return cases;
  }
  if (!image) {
    add("head", head_tissue(size, context));
    add(sparse + " background voxels", all_but(size, points));
    add("one background voxel", all_but(size, {count / 5}));
    return cases;
  }
  const Volume nuclei = nuclei_in_tissue(size, context);
  const auto is_nucleus = nuclei.voxels<std::uint8_t>();
  add("nuclei", nuclei);
  add(sparse + " background pixels", all_but(size, points));
  add("disc", disc(size));
  add("all but nuclei", objects(size, [&](std::int64_t i) { return is_nucleus[i] == 0; }));
  add("all but the diagonal",
      objects(size, [&](std::int64_t i) { return i % size[0] != i / size[0]; }));
  add("all but one pixel", all_but(size, {count / 5}));
  return cases;
}

}  // namespace seedwave::bench
