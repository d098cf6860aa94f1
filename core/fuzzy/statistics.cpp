// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/statistics.h"

#include "core/base/median.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <set>
#include <vector>

namespace seedwave::fuzzy {
namespace {

constexpr std::size_t kFewestDistinct = 8;
constexpr std::int64_t kBoxMargin = 10;
/// Makes the median absolute deviation an estimate of a normal distribution's sigma.
constexpr double kMadToSigma = 1.4826;

bool takes_part(const Scene& scene, std::int64_t offset) {
  return !scene.mask || (*scene.mask)[offset] != 0;
}

/// The seeds' cells and all that touch them, each once.
std::vector<std::int64_t> with_neighbours(const Scene& scene,
                                          const std::vector<std::int64_t>& cells) {
  const Geometry& geometry = scene.geometry;
  std::vector<std::int64_t> grown;
  for (const std::int64_t cell : cells) {
    const Index3 at = geometry.index_of(cell);
    const Box around = Box{at, {at[0] + 1, at[1] + 1, at[2] + 1}}.grown(1, geometry);
    for (std::int64_t z = around.lo[2]; z < around.hi[2]; ++z) {
      for (std::int64_t y = around.lo[1]; y < around.hi[1]; ++y) {
        for (std::int64_t x = around.lo[0]; x < around.hi[0]; ++x) {
          const std::int64_t offset = geometry.offset(Index3{x, y, z});
          if (takes_part(scene, offset)) grown.push_back(offset);
        }
      }
    }
  }
  std::sort(grown.begin(), grown.end());
  grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
  return grown;
}

}  // namespace

ObjectFeature estimate_object(const ScaledScene& scene, std::span<const Seed> seeds,
                              std::uint16_t label) {
  const std::vector<std::uint16_t>& grey = *scene.scene.grey;
  std::vector<std::int64_t> cells;
  std::set<std::uint16_t> distinct;
  for (const Seed& seed : seeds) {
    if (seed.label != label) continue;
    cells.push_back(seed.offset);
    if (distinct.size() < kFewestDistinct) distinct.insert(grey[seed.offset]);
  }
  assert(!cells.empty());
  if (distinct.size() < kFewestDistinct) cells = with_neighbours(scene.scene, cells);

  std::vector<double> values;
  values.reserve(cells.size());
  for (const std::int64_t cell : cells)
    values.push_back(grey[cell]);
  const double middle = median(values);
  for (double& value : values)
    value = std::abs(value - middle);
  const double step = scene.scale.step;
  return {scene.scale.value_of(middle), std::max(kMadToSigma * median(values) * step, 0.5 * step)};
}

double estimate_sigma_h(const ScaledScene& scene, std::span<const Seed> seeds,
                        Connectivity connectivity, Context& context) {
  const Geometry& geometry = scene.scene.geometry;
  const std::vector<std::uint16_t>& grey = *scene.scene.grey;
  Box box;
  for (const Seed& seed : seeds)
    box.include(geometry.index_of(seed.offset));
  box = box.grown(kBoxMargin, geometry);
  std::vector<Step> steps = neighbour_steps(connectivity);
  steps.erase(steps.begin(), steps.begin() + steps.size() / 2);  // each pair once

  std::uint64_t sum = 0;  // of integers: the order does not matter
  std::uint64_t pairs = 0;
  for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
    context.checkpoint(0.0);
    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
      for (const Step& step : steps) {
        if (y + step.dy < box.lo[1] || y + step.dy >= box.hi[1] || z + step.dz >= box.hi[2]) {
          continue;
        }
        const std::int64_t row = geometry.offset(Index3{0, y, z});
        const std::int64_t other = geometry.offset(Index3{step.dx, y + step.dy, z + step.dz});
        const std::int64_t first = std::max(box.lo[0], box.lo[0] - step.dx);
        const std::int64_t last = std::min(box.hi[0], box.hi[0] - step.dx);
        for (std::int64_t x = first; x < last; ++x) {
          if (!takes_part(scene.scene, row + x) || !takes_part(scene.scene, other + x)) continue;
          const std::int64_t d = std::int64_t{grey[row + x]} - grey[other + x];
          sum += static_cast<std::uint64_t>(d * d);
          ++pairs;
        }
      }
    }
  }
  const double mean = pairs == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(pairs);
  return std::max(std::sqrt(mean), 0.5) * scene.scale.step;
}

}  // namespace seedwave::fuzzy
