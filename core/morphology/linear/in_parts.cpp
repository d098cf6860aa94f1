// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/linear/in_parts.h"

#include "core/base/large_memory.h"
#include "core/image/crop.h"
#include "core/morphology/linear/line_slabs.h"
#include "core/parallel/shared_items.h"
#include "core/wavefront/partitions/work_in_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace seedwave::linear {
namespace {

/// Layers of a part, if there are enough of them: in reaches, so that what two parts read is a
/// small share of each, and at least kFewestLayers.
constexpr std::int64_t kReachesOfPart = 8;
constexpr std::int64_t kFewestLayers = 16;
/// Directions of a part, for each of which the image is copied once.
constexpr std::int64_t kFewestDirections = 8;

/// An image that is solved in parts of whole layers.
class ImageInParts {
 public:
  /// `reach`: the distance, in layers, that a window reaches. `most`: layers of a part; 0 for any
  /// number.
  ImageInParts(const Geometry& geometry, std::int64_t reach, std::int64_t most = 0)
      : geometry_(geometry),
        axis_(slab_axis(geometry.size)),
        layers_(geometry.size[axis_]),
        reach_(reach),
        most_(most) {}

  [[nodiscard]] bool is_whole_in(const Context& context) const {
    return !context.is_shared() && (most_ == 0 || most_ >= layers_);
  }
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }
  [[nodiscard]] std::int64_t layers() const { return layers_; }
  [[nodiscard]] std::int64_t layer_voxels() const { return geometry_.voxel_count() / layers_; }

  /// Calls body(slab, context) for the parts of this rank.
  template <typename Body>
  void for_each(Context& context, Body&& body) const {
    for_each_part(
        {.own = own_items(context, layers_),
         .cells_each = layer_voxels(),
         .fewest = std::max(kFewestLayers, kReachesOfPart * reach_),
         .most = most_},
        [&](const LayerRange& part, Context& own) {
          body(slabs_of(part, layers_, part.layers(), reach_).front(), own);
        },
        context);
  }

  [[nodiscard]] LinearOpeningProblem part_of(const LinearOpeningProblem& problem,
                                             const LineSlab& slab) const {
    LinearOpeningProblem part = problem;
    part.image = image_of(problem.image, slab);
    part.lines = lines_of(problem.lines, slab);
    return part;
  }
  [[nodiscard]] LineFanProblem part_of(const LineFanProblem& problem, const LineSlab& slab) const {
    LineFanProblem part = problem;
    part.image = image_of(problem.image, slab);
    for (LineSegments& segments : part.directions)
      segments.lines = lines_of(segments.lines, slab);
    return part;
  }

 private:
  [[nodiscard]] Volume image_of(const Volume& image, const LineSlab& slab) const {
    Box box = Box::whole(geometry_);
    box.lo[axis_] = slab.from;
    box.hi[axis_] = slab.from + slab.layers;
    return shared_part(image, box);
  }
  [[nodiscard]] LineFamily lines_of(const LineFamily& lines, const LineSlab& slab) const {
    return lines.part(axis_, slab.from, slab.layers);
  }

  const Geometry& geometry_;
  int axis_;
  std::int64_t layers_;
  std::int64_t reach_;
  std::int64_t most_;
};

/// An answer that comes in parts, of which each rank has its own layers.
template <typename Voxel>
class AnswerInParts {
 public:
  explicit AnswerInParts(const ImageInParts& parts)
      : parts_(parts),
        voxels_(large_array<Voxel>(static_cast<std::size_t>(parts.geometry().voxel_count()))) {}

  void put(const Volume& of_part, const LineSlab& slab) {
    const std::int64_t layer = parts_.layer_voxels();
    std::copy_n(of_part.voxels<Voxel>().begin() + (slab.first - slab.from) * layer,
                slab.count * layer, voxels_.get() + slab.first * layer);
  }
  /// Gives each rank's layers to the first one. Collective.
  Volume collected(Context& context) && {
    const auto count = static_cast<std::size_t>(parts_.geometry().voxel_count());
    collect_items(context, std::span(voxels_.get(), count), parts_.layers());
    return Volume(parts_.geometry(), std::move(voxels_));
  }

 private:
  const ImageInParts& parts_;
  LargeArray<Voxel> voxels_;
};

/// Returns the largest number of layers of a part; 0 for any number. Lines cross the rows of an
/// image whose arrays lie in files, and would take in all of its pages again and again.
std::int64_t most_layers(const LinearOpeningProblem& problem, std::int64_t reach,
                         const Context& context) {
  const Index3& size = problem.image.geometry().size;
  const std::int64_t layers = size[static_cast<std::size_t>(slab_axis(size))];
  const std::int64_t layer_bytes = std::ssize(problem.image.bytes()) / layers;
  // The part's answer, and its cells, of a type as large.
  const auto bytes = [&](std::int64_t thickness) { return 2 * thickness * layer_bytes; };
  std::int64_t most = layers;
  if (context.in_files() && context.memory() > 0)
    most = thickness_for(layers, reach, context.memory() / context.sharers(), bytes);
  if (context.layers() > 0) most = std::min(most, context.layers());
  return most;
}

/// Returns the maximum distance, in layers, that a window of any direction reaches.
std::int64_t farthest_reach(const LineFanProblem& problem) {
  std::int64_t reach = 0;
  for (const LineSegments& segments : problem.directions)
    reach = std::max(reach, reach_of(segments.lines, segments.length));
  return reach;
}

}  // namespace

Volume opening_in_parts(const LinearOpeningProblem& problem, const LinearOpeningSolver& solver,
                        Context& context) {
  const std::int64_t reach = reach_of(problem.lines, problem.length);
  const ImageInParts parts(problem.image.geometry(), reach, most_layers(problem, reach, context));
  if (parts.is_whole_in(context)) return solver(problem, context);
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    AnswerInParts<typename decltype(voxels)::value_type> opened(parts);
    parts.for_each(context, [&](const LineSlab& slab, Context& own) {
      opened.put(solver(parts.part_of(problem, slab), own), slab);
    });
    return std::move(opened).collected(context);
  });
}

OrientationMap orientation_in_parts(const LineFanProblem& problem, const OrientationSolver& solver,
                                    Context& context) {
  const ImageInParts parts(problem.image.geometry(), farthest_reach(problem));
  if (parts.is_whole_in(context)) return solver(problem, context);
  check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    AnswerInParts<typename decltype(voxels)::value_type> strongest(parts);
    AnswerInParts<std::uint16_t> first(parts);
    parts.for_each(context, [&](const LineSlab& slab, Context& own) {
      const OrientationMap part = solver(parts.part_of(problem, slab), own);
      strongest.put(part.strongest, slab);
      first.put(part.first, slab);
    });
    Volume all = std::move(strongest).collected(context);
    return OrientationMap{std::move(all), std::move(first).collected(context)};
  });
}

std::vector<double> angular_spectrum_in_parts(const LineFanProblem& problem,
                                              const AngularSpectrumSolver& solver,
                                              Context& context) {
  if (!context.is_shared()) return solver(problem, context);
  check(problem);
  std::vector<double> sums(problem.directions.size());
  for_each_part(
      {.own = own_items(context, std::ssize(sums)),
       .cells_each = problem.image.geometry().voxel_count(),
       .fewest = kFewestDirections},
      [&](const LayerRange& part, Context& own) {
        LineFanProblem local = problem;
        local.directions.assign(problem.directions.begin() + part.begin,
                                problem.directions.begin() + part.end);
        std::ranges::copy(solver(local, own), sums.begin() + part.begin);
      },
      context);
  share_items(context, std::span(sums), std::ssize(sums));
  return sums;
}

}  // namespace seedwave::linear
