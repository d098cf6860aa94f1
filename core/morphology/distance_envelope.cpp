// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance_envelope.h"

#include "core/parallel/parallel_for.h"
#include "core/parallel/tabulate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace seedwave {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The nearest source of a voxel so far.
struct Nearest {
  double squared = kInfinity;
  std::int64_t name = -1;

  /// Returns whether this is nearer, or as near with a smaller name.
  [[nodiscard]] bool beats(const Nearest& other) const {
    return squared < other.squared || (squared == other.squared && name < other.name);
  }
};

/// Voxels at `first + i * stride`, a line along an axis.
struct Line {
  std::int64_t first;
  std::int64_t stride;
  std::int64_t length;
};

void write(const Line& line, std::int64_t i, const Nearest& value, NearestSources& found) {
  const std::int64_t at = line.first + i * line.stride;
  found.squared[at] = value.squared;
  found.name[at] = value.name;
}

/// A voxel of a line with a known source, and its position on the line.
struct Candidate {
  std::int64_t place;
  Nearest nearest;
};

/// Finds for the voxels first..last of a line the best of the candidates low..high, the middle
/// voxel first.
///
/// For two candidates j < k, the difference of their squared distances to voxel i increases with i.
/// So left of the middle no candidate beyond the middle's first best can win or tie, and vice
/// versa. Each level of the recursion examines every candidate about once.
class LinePass {
 public:
  LinePass(const Line& line, double weight, NearestSources& found)
      : line_(line), weight_(weight), found_(found) {}

  void operator()(std::vector<Candidate>& candidates) {
    candidates.clear();
    for (std::int64_t i = 0; i < line_.length; ++i) {
      const std::int64_t at = line_.first + i * line_.stride;
      if (found_.name[at] < 0) continue;
      candidates.push_back({i, {found_.squared[at], found_.name[at]}});
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
      const auto apart = static_cast<double>(middle - candidates[c].place);
      const Nearest here{candidates[c].nearest.squared + apart * apart * weight_,
                         candidates[c].nearest.name};
      if (here.squared > best.squared) continue;
      if (here.squared < best.squared) first_best = c;
      last_best = c;
      if (here.beats(best)) best = here;
    }
    write(line_, middle, best, found_);
    solve(candidates, first, middle - 1, low, first_best);
    solve(candidates, middle + 1, last, last_best, high);
  }

  Line line_;
  double weight_;
  NearestSources& found_;
};

/// Along x the sources themselves decide: the last one to the left and the first one to the right.
void pass_row(const Line& line, double weight, NearestSources& found) {
  struct Source {
    std::int64_t place = -1;
    std::int64_t name = -1;
  };
  const auto nearest = [&](const Source& source, std::int64_t i) {
    const auto apart = static_cast<double>(i - source.place);
    return source.place < 0 ? Nearest{} : Nearest{apart * apart * weight, source.name};
  };
  Source last;
  for (std::int64_t i = 0; i < line.length; ++i) {
    const std::int64_t name = found.name[line.first + i];
    if (name >= 0) last = {i, name};
    write(line, i, nearest(last, i), found);
  }
  last = {};
  for (std::int64_t i = line.length - 1; i >= 0; --i) {
    const std::int64_t at = line.first + i;
    if (found.squared[at] == 0.0) last = {i, found.name[at]};
    const Nearest candidate = nearest(last, i);
    if (candidate.beats({found.squared[at], found.name[at]})) write(line, i, candidate, found);
  }
}

}  // namespace

NearestSources nearest_sources(std::vector<std::int64_t> names, const Index3& size,
                               const DistanceScale& scale, Context& context) {
  const std::int64_t count = size[0] * size[1] * size[2];
  assert(static_cast<std::int64_t>(names.size()) == count);
  NearestSources found;
  found.name = std::move(names);
  found.squared.resize(found.name.size());
  const std::int64_t slice = size[0] * size[1];
  for (const int axis : {0, 1, 2}) {
    if (size[axis] == 1 && axis > 0) continue;
    const std::int64_t lines = count / size[axis];
    parallel_for(context, lines, 64, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Candidate> candidates;
      for (std::int64_t i = begin; i < end; ++i) {
        if (i % 64 == 0) context.checkpoint(static_cast<double>(i) / static_cast<double>(lines));
        if (axis == 0) {
          pass_row({i * size[0], 1, size[0]}, scale.weights[0], found);
          continue;
        }
        const Line line = axis == 1 ? Line{i % size[0] + i / size[0] * slice, size[0], size[1]}
                                    : Line{i, slice, size[2]};
        LinePass(line, scale.weights[axis], found)(candidates);
      }
    });
  }
  return found;
}

DistanceMap distance_map_of(const NearestSources& found, const DistanceProblem& problem,
                            Context& context) {
  const Geometry& geometry = problem.objects.geometry();
  const std::int64_t count = geometry.voxel_count();
  const double unit = problem.scale.unit;
  DistanceMap map;
  switch (problem.form) {
    case DistanceForm::Length:
      map.distance = Volume(geometry, tabulate<float>(count, context, [&](std::int64_t i) {
                              return static_cast<float>(unit * std::sqrt(found.squared[i]));
                            }));
      break;
    case DistanceForm::Square:
      map.distance = Volume(geometry, tabulate<float>(count, context, [&](std::int64_t i) {
                              return static_cast<float>(unit * unit * found.squared[i]);
                            }));
      break;
    case DistanceForm::SquareInVoxels:
      map.distance =
          Volume(geometry, tabulate<std::int32_t>(count, context, [&](std::int64_t i) {
                   return found.name[i] < 0 ? -1 : static_cast<std::int32_t>(found.squared[i]);
                 }));
      break;
  }
  if (problem.nearest == NearestCells::Find) {
    map.nearest = Volume(geometry, tabulate<std::int32_t>(count, context, [&](std::int64_t i) {
                           return static_cast<std::int32_t>(found.name[i]);
                         }));
  }
  return map;
}

DistanceMap distance_by_envelope(const DistanceProblem& problem, Context& context) {
  const auto stage = context.stage("distance");
  const Geometry& geometry = problem.objects.geometry();
  const auto objects = problem.objects.voxels<std::uint8_t>();
  const NearestSources found =
      nearest_sources(tabulate<std::int64_t>(
                          geometry.voxel_count(), context,
                          [&](std::int64_t i) { return objects[i] == 0 ? i : std::int64_t{-1}; }),
                      geometry.size, problem.scale, context);
  return distance_map_of(found, problem, context);
}

LabelMap influence_zones_by_envelope(const InfluenceZonesProblem& problem, Context& context) {
  const auto stage = context.stage("zones");
  const Geometry& geometry = problem.labels.geometry();
  return visit_labels(problem.labels.labels(), [&]<typename T>(std::span<const T> labels) {
    const NearestSources found = nearest_sources(
        tabulate<std::int64_t>(
            geometry.voxel_count(), context,
            [&](std::int64_t i) { return labels[i] == 0 ? std::int64_t{-1} : labels[i]; }),
        geometry.size, problem.scale, context);
    return LabelMap(geometry, tabulate<T>(geometry.voxel_count(), context, [&](std::int64_t i) {
                      return static_cast<T>(std::max<std::int64_t>(found.name[i], 0));
                    }));
  });
}

}  // namespace seedwave
