// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/surface_distance.h"

#include "core/image/connectivity.h"
#include "core/image/crop.h"
#include "core/image/label_map.h"
#include "core/image/same_size.h"
#include "core/morphology/distance_envelope.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace seedwave {
namespace {

Box joined(Box box, const Box& other) {
  box.include(other.lo);
  box.include({other.hi[0] - 1, other.hi[1] - 1, other.hi[2] - 1});
  return box;
}

/// Returns 0 on the label's surface and -1 elsewhere: sources by name. Outside the box no voxel has
/// the label, so the box may be cut out of a larger grid.
std::vector<std::int64_t> surface_of(const LabelMap& map, Label label, Connectivity connectivity) {
  const Geometry& geometry = map.geometry();
  const std::vector<NeighbourStep> steps = neighbour_steps(connectivity);
  std::vector<std::int64_t> surface(map.labels().size(), -1);
  for (std::int64_t offset = 0; offset < geometry.voxel_count(); ++offset) {
    if (map.labels()[offset] != label) continue;
    const Index3 at = geometry.index_of(offset);
    const bool at_the_edge =
        std::any_of(steps.begin(), steps.end(), [&](const NeighbourStep& step) {
          const Index3 next{at[0] + step.dx, at[1] + step.dy, at[2] + step.dz};
          return !geometry.contains(next) || map.at(next) != label;
        });
    if (at_the_edge) surface[offset] = 0;
  }
  return surface;
}

/// Returns the sorted distances from the voxels of one surface to the other.
std::vector<double> distances(const std::vector<std::int64_t>& from,
                              const std::vector<std::int64_t>& to, const Geometry& geometry,
                              Context& context) {
  const DistanceScale scale = spacing_scale(geometry.size, geometry.spacing);
  const NearestSources nearest = nearest_sources(to, geometry.size, scale, context);
  std::vector<double> found;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == 0) found.push_back(scale.unit * std::sqrt(nearest.squared[i]));
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Interpolates linearly between two values, as NumPy does.
double percentile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::optional<SurfaceDistances> surface_distances(const LabelMap& result, const LabelMap& reference,
                                                  Label label, Context& context) {
  check_same_size(result.geometry(), reference.geometry(), "the result and the reference");
  const Box result_box = box_of(result, label);
  const Box reference_box = box_of(reference, label);
  if (result_box.empty() || reference_box.empty()) return {};
  const Box box = joined(result_box, reference_box);
  // Decided by the whole grid: in a volume a label may be one slice thick.
  const Connectivity connectivity = result.geometry().is_2d() ? Connectivity::C4 : Connectivity::C6;
  const LabelMap a = crop(result, box);
  const LabelMap b = crop(reference, box);
  const auto surface_a = surface_of(a, label, connectivity);
  const auto surface_b = surface_of(b, label, connectivity);
  const std::vector<double> there = distances(surface_a, surface_b, a.geometry(), context);
  const std::vector<double> back = distances(surface_b, surface_a, a.geometry(), context);
  std::vector<double> pooled(there.size() + back.size());
  std::merge(there.begin(), there.end(), back.begin(), back.end(), pooled.begin());
  return SurfaceDistances{.hd = pooled.back(),
                          .hd95 = std::max(percentile(there, 0.95), percentile(back, 0.95)),
                          .hd95_pooled = percentile(pooled, 0.95),
                          .assd = mean(pooled),
                          .masd = (mean(there) + mean(back)) / 2.0};
}

}  // namespace seedwave
