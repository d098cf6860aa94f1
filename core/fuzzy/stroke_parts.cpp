// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/stroke_parts.h"

#include "core/base/median.h"
#include "core/image/connectivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace seedwave::fuzzy {
namespace {

constexpr std::int64_t kBoxMargin = 10;

double median_of(std::vector<double> values) {
  return median(values);
}

}  // namespace

SeededIntensities::SeededIntensities(const Volume& image, const LabelMap& mask, const Vec3& smooth,
                                     std::span<const Seed> seeds, Context& context)
    : image_(image), kept_(image, mask, smooth, context), geometry_(image.geometry()) {
  for (const Seed& seed : seeds)
    box_.include(geometry_.index_of(seed.offset));
  box_ = box_.grown(kBoxMargin, geometry_);
  noise_ = std::max(noise_of([&](std::int64_t cell) { return at(cell); }), half_a_step());
  visit_voxels(image_, [&](auto voxels) {
    raw_noise_ =
        std::max(noise_of([&](std::int64_t cell) { return static_cast<double>(voxels[cell]); }),
                 half_a_step());
  });
}

double SeededIntensities::at(std::int64_t cell) const {
  return kept_.image().visit(
      [&](auto values) { return kept_.image().first + static_cast<double>(values[cell]); });
}

double SeededIntensities::gradient(std::int64_t cell) const {
  return visit_voxels(image_, [&](auto voxels) {
    constexpr int kSteps = 3;
    static const std::array<double, kSteps + 1> weights = [] {
      std::array<double, kSteps + 1> made{};
      double sum = 0.0;
      for (int i = 0; i <= kSteps; ++i) {
        made[i] = std::exp(-0.5 * i * i);
        sum += i == 0 ? made[i] : 2.0 * made[i];
      }
      for (double& weight : made)
        weight /= sum;
      return made;
    }();
    const Index3 at = geometry_.index_of(cell);
    std::array<double, 3> slope{};
    const int deep = geometry_.size[2] == 1 ? 0 : kSteps;
    for (int z = -deep; z <= deep; ++z) {
      for (int y = -kSteps; y <= kSteps; ++y) {
        for (int x = -kSteps; x <= kSteps; ++x) {
          const std::array<int, 3> step{x, y, z};
          Index3 to{};
          for (int axis = 0; axis < 3; ++axis)
            to[axis] = std::clamp<std::int64_t>(at[axis] + step[axis], 0, geometry_.size[axis] - 1);
          const double weight = weights[std::abs(x)] * weights[std::abs(y)] *
                                (deep == 0 ? 1.0 : weights[std::abs(z)]);
          const double value = weight * static_cast<double>(voxels[geometry_.offset(to)]);
          for (int axis = 0; axis < 3; ++axis)
            slope[axis] += step[axis] * value;
        }
      }
    }
    return std::sqrt(slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2]);
  });
}

/// 0.5 for integers.
double SeededIntensities::half_a_step() const {
  constexpr double kHalfAStep = 0.5 / 65535.0;
  if (!kept_.image().greys.empty() || kept_.image().wide.type() == VoxelType::I32) return 0.5;
  const ValueRange& range = kept_.image().range;
  return range.high > range.low ? kHalfAStep * (range.high - range.low) : 0.5;
}

/// From the median of second differences along x and y that are not 0.
template <typename ValueAt>
double SeededIntensities::noise_of(ValueAt&& value_at) const {
  constexpr std::int64_t kMost = 200'000;
  std::int64_t cells = 1;
  for (int axis = 0; axis < 3; ++axis)
    cells *= box_.hi[axis] - box_.lo[axis];
  const std::int64_t every = std::max<std::int64_t>(1, cells / kMost);
  const std::int64_t row = box_.hi[0] - box_.lo[0];
  const std::int64_t rows = box_.hi[1] - box_.lo[1];
  std::vector<double> differences;
  for (std::int64_t i = 0; i < cells; i += every) {
    const Index3 at{box_.lo[0] + i % row, box_.lo[1] + i / row % rows, box_.lo[2] + i / row / rows};
    std::int64_t stride = 1;
    for (int axis = 0; axis < 2; stride *= geometry_.size[axis++]) {
      if (at[axis] == 0 || at[axis] + 1 >= geometry_.size[axis]) continue;
      const std::int64_t cell = geometry_.offset(at);
      const double second =
          value_at(cell - stride) - 2.0 * value_at(cell) + value_at(cell + stride);
      if (second != 0.0) differences.push_back(std::abs(second));
    }
  }
  if (differences.empty()) return 0.0;
  return kMadToSigma * median(differences) / std::sqrt(6.0);
}

std::vector<std::int64_t> cells_of(std::span<const Seed> seeds, Label label) {
  std::vector<std::int64_t> cells;
  for (const Seed& seed : seeds) {
    if (seed.label == label) cells.push_back(seed.offset);
  }
  return cells;
}

std::vector<std::vector<std::int64_t>> connected_groups(const Geometry& geometry,
                                                        std::span<const std::int64_t> cells,
                                                        Context& context) {
  std::vector<std::size_t> root(cells.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  std::vector<NeighbourStep> steps =
      neighbour_steps(geometry.is_2d() ? Connectivity::C8 : Connectivity::C26);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i % kCellsPerCheck == 0) context.checkpoint(0.0);
    const Index3 at = geometry.index_of(cells[i]);
    for (const NeighbourStep& step : steps) {
      const Index3 to{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
      if (!geometry.contains(to)) continue;
      const std::int64_t offset = geometry.offset(to);
      if (offset > cells[i]) continue;
      const auto near = std::ranges::lower_bound(cells, offset);
      if (near == cells.end() || *near != offset) continue;
      const std::size_t a = find(i);
      const std::size_t b = find(static_cast<std::size_t>(near - cells.begin()));
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  // A root is the first cell of its group.
  std::vector<std::vector<std::int64_t>> groups;
  std::vector<std::size_t> group_of(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t first = find(i);
    if (first == i) {
      group_of[i] = groups.size();
      groups.emplace_back();
    }
    groups[group_of[first]].push_back(cells[i]);
  }
  return groups;
}

std::vector<StrokePart> parts_of(const Geometry& geometry, std::span<const Seed> seeds, Label label,
                                 const SeededIntensities& intensities, Context& context) {
  const std::vector<std::int64_t> cells = cells_of(seeds, label);
  std::vector<std::vector<std::int64_t>> groups = connected_groups(geometry, cells, context);
  std::size_t in_strokes = 0;
  for (const auto& group : groups) {
    if (group.size() >= kFewestOfPart) in_strokes += group.size();
  }
  if (2 * in_strokes < cells.size()) groups = {cells};
  std::vector<StrokePart> parts;
  for (auto& group : groups) {
    context.checkpoint(0.0);
    StrokePart part{.cells = std::move(group)};
    for (const std::int64_t cell : part.cells) {
      part.values.push_back(intensities.at(cell));
      part.gradients.push_back(intensities.gradient(cell));
    }
    part.middle = median_of(part.values);
    std::vector<double> away = part.values;
    part.deviation = deviation_about(part.middle, away);
    part.gradient = median_of(part.gradients);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace seedwave::fuzzy
