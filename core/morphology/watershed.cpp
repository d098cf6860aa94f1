// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed.h"

#include "core/base/error.h"
#include "core/morphology/watershed_scene.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/geodesic/geodesic_tiles.h"
#include "core/wavefront/large_memory.h"
#include "core/wavefront/ordered_cells.h"
#include "core/wavefront/rule_tiles.h"
#include "core/wavefront/watershed_rules.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
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

/// The image as cells, and how each starts.
template <typename Cell>
struct Scene {
  std::vector<Cell> f;
  std::vector<std::uint8_t> takes;
  WatershedLabels labels;
};

template <typename Voxel>
Scene<CellOf<Voxel>> scene_of(const WatershedProblem& problem) {
  Scene<CellOf<Voxel>> scene;
  const auto voxels = problem.image.voxels<Voxel>();
  scene.f = large_vector<CellOf<Voxel>>(voxels.size());
  to_cells(voxels.data(), std::ssize(voxels), false, scene.f.data());
  scene.labels = watershed::inner_markers(problem);
  scene.takes = large_vector<std::uint8_t>(voxels.size());
  for (std::int64_t i = 0; i < std::ssize(voxels); ++i)
    scene.takes[i] = scene.labels[i] == 0 && !watershed::is_masked_out(problem, i) ? 1 : 0;
  return scene;
}

/// Reconstruction by erosion of f from the markers, upside down: a cell that takes nothing has its
/// limit where it starts.
template <typename Cell>
std::vector<Cell> altitudes_of(const WatershedProblem& problem, const Scene<Cell>& scene,
                               Context& context) {
  const Index3 size = problem.image.geometry().size;
  GeodesicTiles<Cell> tiles(size, problem.connectivity, context.threads());
  constexpr Cell kNotReached = std::numeric_limits<Cell>::lowest();
  tiles.run(context, [&](std::int64_t offset, int count, Cell* cells, Cell* limits) {
    for (int i = 0; i < count; ++i) {
      const auto turned = static_cast<Cell>(~scene.f[offset + i]);
      const bool marker = scene.labels[offset + i] != 0;
      cells[i] = marker ? turned : kNotReached;
      limits[i] = marker || scene.takes[offset + i] != 0 ? turned : kNotReached;
    }
  });
  auto altitudes = large_vector<Cell>(scene.f.size());
  tiles.read(context, [&](std::int64_t offset, int count, const Cell* cells) {
    for (int i = 0; i < count; ++i)
      altitudes[offset + i] = static_cast<Cell>(~cells[i]);
  });
  return altitudes;
}

template <typename Cell>
WatershedLabels basins_of(const WatershedProblem& problem, Scene<Cell> scene, Context& context) {
  const Index3 size = problem.image.geometry().size;
  const std::vector<Cell> altitudes = altitudes_of(problem, scene, context);
  using Hops = HopsRule<Cell>;
  std::vector<std::uint32_t> hops(altitudes.size(), Hops::kFar);
  for (std::size_t i = 0; i < hops.size(); ++i) {
    if (scene.labels[i] != 0) hops[i] = 0;
  }
  run_rule(Hops{scene.f.data(), altitudes.data(), scene.takes.data()}, size, problem.connectivity,
           std::span(hops), context);
  run_rule(BasinRule<Cell>{scene.f.data(), altitudes.data(), hops.data(), scene.takes.data()}, size,
           problem.connectivity, std::span(scene.labels), context);
  return std::move(scene.labels);
}

}  // namespace

namespace watershed {

void check(const WatershedProblem& problem) {
  const Geometry& geometry = problem.image.geometry();
  if (problem.image.components() != 1) {
    throw InputError("a watershed needs one value a voxel, the image has " +
                     std::to_string(problem.image.components()));
  }
  check_grid("markers", problem.markers, geometry);
  check_grid("mask", problem.mask, geometry);
  refuse_nan(problem.image, "the image");
}

WatershedLabels inner_markers(const WatershedProblem& problem) {
  const auto markers = problem.markers.labels();
  auto labels = large_vector<std::uint16_t>(markers.size());
  for (std::int64_t i = 0; i < std::ssize(markers); ++i)
    labels[i] = is_masked_out(problem, i) ? std::uint16_t{0} : markers[i];
  return labels;
}

}  // namespace watershed

WatershedLabels watershed_by_tiles(const WatershedProblem& problem, Context& context) {
  watershed::check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    return basins_of(problem, scene_of<Voxel>(problem), context);
  });
}

std::int64_t markers_outside_mask(const WatershedProblem& problem) {
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
