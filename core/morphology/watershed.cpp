// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed.h"

#include "core/base/error.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/parallel_for.h"

#include <cstdint>
#include <string>
#include <vector>

namespace seedwave {
namespace {

void check_grid(const char* what, const LabelMap& labels, const Geometry& geometry) {
  if (labels.empty() || same_grid(labels.geometry(), geometry)) return;
  throw InputError("the " + std::string(what) + " lie" + (std::string(what) == "mask" ? "s" : "") +
                   " on another grid (" + describe(labels.geometry()) + ") than the image (" +
                   describe(geometry) + ")");
}

/// A separate function: inside the loop over ranges it would not be vectorised.
[[gnu::noinline]] void add_to_some(std::uint16_t value, std::uint16_t* labels, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    labels[i] = static_cast<std::uint16_t>(labels[i] + value);
}

}  // namespace

namespace watershed {

void check(const WatershedProblem& problem) {
  const Geometry& geometry = problem.image.geometry();
  if (problem.image.components() != 1) {
    throw InputError("a watershed needs one value per voxel, the image has " +
                     std::to_string(problem.image.components()));
  }
  if (problem.markers.empty()) throw InputError("a watershed needs markers to flood from");
  check_grid("markers", problem.markers, geometry);
  check_grid("mask", problem.mask, geometry);
  refuse_nan(problem.image, "the image");
}

WatershedLabels inner_markers(const WatershedProblem& problem) {
  const auto markers = problem.markers.labels();
  WatershedLabels labels(markers.begin(), markers.end());
  if (problem.mask.empty()) return labels;
  const auto mask = problem.mask.labels();
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = mask[i] == 0 ? std::uint16_t{0} : labels[i];
  return labels;
}

void add_to_each(std::uint16_t value, WatershedLabels& labels, Context& context) {
  constexpr std::int64_t kGrain = 1 << 16;
  parallel_for(context, std::ssize(labels), kGrain, [&](std::int64_t begin, std::int64_t end) {
    add_to_some(value, labels.data() + begin, end - begin);
  });
}

}  // namespace watershed

std::int64_t markers_outside_mask(const WatershedProblem& problem) {
  if (problem.mask.empty()) return 0;
  const auto markers = problem.markers.labels();
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < std::ssize(markers); ++i)
    count += markers[i] != 0 && watershed::is_masked_out(problem, i) ? 1 : 0;
  return count;
}

void draw_watershed_lines(const WatershedProblem& problem, WatershedLabels& labels,
                          Context& context) {
  const Index3 size = problem.image.geometry().size;
  const std::vector<Step> steps = neighbour_steps(problem.connectivity);
  const WatershedLabels basins = labels;
  const auto is_marker = [&](std::int64_t cell) { return problem.markers.labels()[cell] != 0; };
  parallel_for(context, size[1] * size[2], 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      if (row % 64 == 0) context.checkpoint(0.0);
      const std::int64_t y = row % size[1];
      const std::int64_t z = row / size[1];
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const std::int64_t cell = row * size[0] + x;
        if (basins[cell] == 0 || is_marker(cell)) continue;
        for (const Step& step : steps) {
          if (x + step.dx < 0 || x + step.dx >= size[0] || y + step.dy < 0 ||
              y + step.dy >= size[1] || z + step.dz < 0 || z + step.dz >= size[2]) {
            continue;
          }
          const std::int64_t other = cell + step.dx + size[0] * (step.dy + size[1] * step.dz);
          if (basins[other] == 0 || basins[other] == basins[cell]) continue;
          if (is_marker(other) || basins[other] < basins[cell]) labels[cell] = 0;
        }
      }
    }
  });
}

}  // namespace seedwave
