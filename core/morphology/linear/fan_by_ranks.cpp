// SPDX-License-Identifier: Apache-2.0
//
// The statistics over directions, divided among the ranks of a run: an orientation by layers of the
// image, a spectrum by directions, whose sums are over all of it.
#include "core/base/large_memory.h"
#include "core/image/crop.h"
#include "core/morphology/linear/kernel.h"
#include "core/morphology/linear/line_slabs.h"
#include "core/morphology/linear/orientation.h"
#include "core/parallel/shared_items.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seedwave {
namespace linear {
namespace {

/// Returns the maximum distance, in layers, that a window of any direction reaches.
std::int64_t farthest_reach(const LineFanProblem& problem) {
  std::int64_t reach = 0;
  for (const LineSegments& segments : problem.directions)
    reach = std::max(reach, reach_of(segments.lines, segments.length));
  return reach;
}

/// Returns the problem on the layers of a slab, with the lines of the whole image.
LineFanProblem part_of(const LineFanProblem& problem, const LineSlab& slab, int axis) {
  Box box = Box::whole(problem.image.geometry());
  box.lo[axis] = slab.from;
  box.hi[axis] = slab.from + slab.layers;
  LineFanProblem part = problem;
  part.image = shared_part(problem.image, box);
  for (LineSegments& segments : part.directions)
    segments.lines = segments.lines.part(axis, slab.from, slab.layers);
  return part;
}

/// An image of which each rank computes its own layers.
template <typename Voxel>
class LayersOfAll {
 public:
  LayersOfAll(const Geometry& geometry, int axis)
      : geometry_(geometry),
        layers_(geometry.size[axis]),
        layer_(geometry.voxel_count() / layers_),
        voxels_(large_array<Voxel>(static_cast<std::size_t>(geometry.voxel_count()))) {}

  void put(const Volume& part, const LineSlab& slab) {
    std::copy_n(part.voxels<Voxel>().begin() + (slab.first - slab.from) * layer_,
                slab.count * layer_, voxels_.get() + slab.first * layer_);
  }
  /// Gives each rank's layers to all. Collective.
  Volume shared(Context& context) && {
    const auto count = static_cast<std::size_t>(layers_ * layer_);
    share_items(context, std::span(voxels_.get(), count), layers_);
    return Volume(geometry_, std::move(voxels_));
  }

 private:
  const Geometry& geometry_;
  std::int64_t layers_;
  std::int64_t layer_;  // voxels of one
  LargeArray<Voxel> voxels_;
};

OrientationMap orientation_by_ranks(const LineFanProblem& problem, Context& context) {
  const Geometry& geometry = problem.image.geometry();
  const int axis = slab_axis(geometry.size);
  const std::int64_t layers = geometry.size[axis];
  const LayerRange own = own_items(context, layers);
  return visit_voxels(problem.image, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    LayersOfAll<Voxel> strongest(geometry, axis);
    LayersOfAll<std::uint16_t> first(geometry, axis);
    for (const LineSlab& slab : slabs_of(own, layers, layers, farthest_reach(problem))) {
      const OrientationMap part =
          orientation_in_strips(part_of(problem, slab, axis), best_kernels(), context);
      strongest.put(part.strongest, slab);
      first.put(part.first, slab);
    }
    Volume all = std::move(strongest).shared(context);
    return OrientationMap{std::move(all), std::move(first).shared(context)};
  });
}

std::vector<double> angular_spectrum_by_ranks(const LineFanProblem& problem, Context& context) {
  const LayerRange own = own_items(context, std::ssize(problem.directions));
  std::vector<double> sums(problem.directions.size());
  if (own.layers() > 0) {
    LineFanProblem part = problem;
    part.directions.assign(problem.directions.begin() + own.begin,
                           problem.directions.begin() + own.end);
    std::ranges::copy(angular_spectrum_in_strips(part, best_kernels(), context),
                      sums.begin() + own.begin);
  }
  share_items(context, std::span(sums), std::ssize(sums));
  return sums;
}

}  // namespace
}  // namespace linear

OrientationMap orientation(const LineFanProblem& problem, Context& context) {
  if (context.ranks() == nullptr)
    return orientation_in_strips(problem, linear::best_kernels(), context);
  check(problem);
  return linear::orientation_by_ranks(problem, context);
}

std::vector<double> angular_spectrum(const LineFanProblem& problem, Context& context) {
  if (context.ranks() == nullptr)
    return angular_spectrum_in_strips(problem, linear::best_kernels(), context);
  check(problem);
  return linear::angular_spectrum_by_ranks(problem, context);
}

}  // namespace seedwave
