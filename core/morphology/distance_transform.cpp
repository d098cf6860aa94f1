// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance_transform.h"

#include "core/parallel/parallel_for.h"

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

void write(const Line& line, std::int64_t i, const Nearest& value, DistanceTransform& transform) {
  const std::int64_t at = line.first + i * line.stride;
  transform.squared[at] = value.squared;
  transform.nearest[at] = value.offset;
}

/// A voxel of a line that knows a source, and where on the line it lies.
struct Candidate {
  std::int64_t place;
  Nearest nearest;
};

/// Finds for voxels first..last of a line the best of candidates low..high, the middle voxel first.
///
/// For two candidates j < k the difference of their distances to voxel i only grows with i. So left
/// of the middle nothing right of the middle's first best can win or tie, and the other way round:
/// each level of halving looks at every candidate about once.
class LinePass {
 public:
  LinePass(const Line& line, double spacing, DistanceTransform& transform)
      : line_(line), spacing_(spacing), transform_(transform) {}

  void operator()(std::vector<Candidate>& candidates) {
    candidates.clear();
    for (std::int64_t i = 0; i < line_.length; ++i) {
      const std::int64_t at = line_.first + i * line_.stride;
      if (transform_.nearest[at] < 0) continue;
      candidates.push_back({i, {transform_.squared[at], transform_.nearest[at]}});
    }
    if (candidates.empty()) return;
    solve(candidates, 0, line_.length - 1, 0, candidates.size() - 1);
  }

 private:
  void solve(const std::vector<Candidate>& candidates, std::int64_t first, std::int64_t last,
             std::size_t low, std::size_t high) {
    if (first > last) return;
    const std::int64_t middle = first + (last - first) / 2;
    Nearest best;
    std::size_t first_best = low;
    std::size_t last_best = low;
    for (std::size_t c = low; c <= high; ++c) {
      const double apart = static_cast<double>(middle - candidates[c].place) * spacing_;
      const Nearest here{candidates[c].nearest.squared + apart * apart,
                         candidates[c].nearest.offset};
      if (here.squared > best.squared) continue;
      if (here.squared < best.squared) first_best = c;
      last_best = c;
      if (here.beats(best)) best = here;
    }
    write(line_, middle, best, transform_);
    solve(candidates, first, middle - 1, low, first_best);
    solve(candidates, middle + 1, last, last_best, high);
  }

  Line line_;
  double spacing_;
  DistanceTransform& transform_;
};

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
      std::vector<Candidate> candidates;
      for (std::int64_t i = begin; i < end; ++i) {
        if (i % 64 == 0) context.checkpoint(static_cast<double>(i) / static_cast<double>(lines));
        const Line line = axis == 1 ? Line{i % size[0] + i / size[0] * slice, size[0], size[1]}
                                    : Line{i, slice, size[2]};
        LinePass(line, spacing[axis], transform)(candidates);
      }
    });
  }
  return transform;
}

}  // namespace seedwave
