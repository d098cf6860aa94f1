// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed.h"

#include "core/base/error.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/parallel_for.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

void check_grid(const char* what, const LabelMap& labels, const Geometry& geometry) {
  if (labels.empty() || same_grid(labels.geometry(), geometry)) return;
  throw InputError("the " + std::string(what) + " lie" + (std::string(what) == "mask" ? "s" : "") +
                   " on another grid (" + describe(labels.geometry()) + ") than the image (" +
                   describe(geometry) + ")");
}

}  // namespace

namespace watershed {

WatershedProblem prepared(const WatershedProblem& problem) {
  const Geometry& geometry = problem.image.geometry();
  if (problem.image.components() != 1) {
    throw InputError("a watershed needs one value per voxel, the image has " +
                     std::to_string(problem.image.components()));
  }
  if (problem.markers.empty()) throw InputError("a watershed needs markers to flood from");
  check_grid("markers", problem.markers, geometry);
  check_grid("mask", problem.mask, geometry);
  refuse_nan(problem.image, "the image");
  WatershedProblem ready = problem;
  ready.mask = byte_mask(problem.mask);
  ready.markers = at_least_u16(problem.markers);
  return ready;
}

}  // namespace watershed

std::int64_t markers_outside_mask(const WatershedProblem& problem) {
  if (problem.mask.empty()) return 0;
  return visit_labels(problem.markers.labels(), problem.mask.labels(), [](auto markers, auto mask) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < markers.size(); ++i)
      count += markers[i] != 0 && mask[i] == 0 ? 1 : 0;
    return count;
  });
}

LabelMap with_watershed_lines(const WatershedProblem& problem, const LabelMap& labels,
                              Context& context) {
  const Index3 size = problem.image.geometry().size;
  const std::vector<NeighbourStep> steps = neighbour_steps(problem.connectivity);
  const auto draw = [&]<typename T>(std::span<const T> basins, auto markers) {
    std::vector<T> drawn(basins.begin(), basins.end());
    parallel_for(context, size[1] * size[2], 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        if (row % 64 == 0) context.checkpoint(0.0);
        const std::int64_t y = row % size[1];
        const std::int64_t z = row / size[1];
        for (std::int64_t x = 0; x < size[0]; ++x) {
          const std::int64_t cell = row * size[0] + x;
          if (basins[cell] == 0 || markers[cell] != 0) continue;
          for (const NeighbourStep& step : steps) {
            if (x + step.dx < 0 || x + step.dx >= size[0] || y + step.dy < 0 ||
                y + step.dy >= size[1] || z + step.dz < 0 || z + step.dz >= size[2]) {
              continue;
            }
            const std::int64_t other = cell + step.dx + size[0] * (step.dy + size[1] * step.dz);
            if (basins[other] == 0 || basins[other] == basins[cell]) continue;
            if (markers[other] != 0 || basins[other] < basins[cell]) drawn[cell] = 0;
          }
        }
      }
    });
    return LabelMap(labels.geometry(), std::move(drawn));
  };
  return visit_labels(labels.labels(), problem.markers.labels(), draw);
}

}  // namespace seedwave
