// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance_transform.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace seedwave {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// What a voxel knows of its nearest source so far.
struct Nearest {
  double squared = kFar;
  std::int64_t offset = -1;

  /// Nearer, or as near with a smaller offset.
  [[nodiscard]] bool beats(const Nearest& other) const {
    return squared < other.squared || (squared == other.squared && offset < other.offset);
  }
};

/// Voxels at `first + i * stride`, one along an axis.
struct Line {
  std::int64_t first;
  std::int64_t stride;
  std::int64_t length;
};

void read(const DistanceTransform& transform, const Line& line, std::vector<Nearest>& values) {
  for (std::int64_t i = 0; i < line.length; ++i) {
    const std::int64_t at = line.first + i * line.stride;
    values[i] = {transform.squared[at], transform.nearest[at]};
  }
}

void write(const Line& line, std::int64_t i, const Nearest& value, DistanceTransform& transform) {
  const std::int64_t at = line.first + i * line.stride;
  transform.squared[at] = value.squared;
  transform.nearest[at] = value.offset;
}

/// Looks outwards from each voxel until no farther one on the line can be as near.
void pass_line(const Line& line, double spacing, std::vector<Nearest>& before,
               DistanceTransform& transform) {
  read(transform, line, before);
  for (std::int64_t i = 0; i < line.length; ++i) {
    Nearest best = before[i];
    const std::int64_t reach = std::max(i, line.length - 1 - i);
    for (std::int64_t k = 1; k <= reach; ++k) {
      const double step = static_cast<double>(k) * spacing;
      const double apart = step * step;
      if (apart > best.squared) break;
      for (const std::int64_t j : {i - k, i + k}) {
        if (j < 0 || j >= line.length || before[j].offset < 0) continue;
        const Nearest candidate{before[j].squared + apart, before[j].offset};
        if (candidate.beats(best)) best = candidate;
      }
    }
    write(line, i, best, transform);
  }
}

/// Along x the sources themselves decide: the last one on the left, the first one on the right.
void pass_row(std::span<const std::uint8_t> sources, const Line& line, double spacing,
              DistanceTransform& transform) {
  const auto squared = [&](std::int64_t voxels) {
    const double apart = static_cast<double>(voxels) * spacing;
    return apart * apart;
  };
  std::int64_t last = -1;
  for (std::int64_t i = 0; i < line.length; ++i) {
    if (sources[line.first + i] != 0) last = i;
    write(line, i, last < 0 ? Nearest{} : Nearest{squared(i - last), line.first + last}, transform);
  }
  last = -1;
  for (std::int64_t i = line.length - 1; i >= 0; --i) {
    if (sources[line.first + i] != 0) last = i;
    if (last < 0) continue;
    const Nearest candidate{squared(last - i), line.first + last};
    const std::int64_t at = line.first + i;
    if (candidate.beats({transform.squared[at], transform.nearest[at]})) {
      write(line, i, candidate, transform);
    }
  }
}

}  // namespace

DistanceTransform distance_transform(std::span<const std::uint8_t> sources, const Index3& size,
                                     const Vec3& spacing, Context& context) {
  const std::int64_t count = size[0] * size[1] * size[2];
  assert(static_cast<std::int64_t>(sources.size()) == count);
  DistanceTransform transform;
  transform.squared.resize(sources.size());
  transform.nearest.resize(sources.size());
  const std::int64_t slice = size[0] * size[1];
  parallel_for(context, size[1] * size[2], 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      pass_row(sources, {row * size[0], 1, size[0]}, spacing[0], transform);
  });
  for (const int axis : {1, 2}) {
    if (size[axis] == 1) continue;
    const std::int64_t lines = count / size[axis];
    parallel_for(context, lines, 64, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Nearest> before(static_cast<std::size_t>(size[axis]));
      for (std::int64_t i = begin; i < end; ++i) {
        if (i % 64 == 0) context.checkpoint(static_cast<double>(i) / static_cast<double>(lines));
        const Line line = axis == 1 ? Line{i % size[0] + i / size[0] * slice, size[0], size[1]}
                                    : Line{i, slice, size[2]};
        pass_line(line, spacing[axis], before, transform);
      }
    });
  }
  return transform;
}

}  // namespace seedwave
