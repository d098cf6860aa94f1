// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <functional>

namespace seedwave {

/// How distances on a grid are counted: in whole numbers, so that no order of additions can change
/// a sum, equally far is equally far, and every algorithm on every machine gives the same bits.
///
/// The square of a step (dx, dy, dz) is dx^2 weights[0] + dy^2 weights[1] + dz^2 weights[2], a
/// whole number below 2^53, which f64 holds exactly; its length is unit * sqrt(square), computed in
/// f64.
struct DistanceScale {
  Vec3 weights{1.0, 1.0, 1.0};
  double unit = 1.0;
};

/// Distances in voxels: each step is 1 long.
[[nodiscard]] constexpr DistanceScale voxel_scale() noexcept {
  return {};
}

/// Distances in the spacing's unit. Equal spacings have weights of 1. Others are squared, taken as
/// multiples of the smallest, and rounded to as many binary places as 2^52 leaves room for on a
/// grid of that size: with L the squared diagonal in smallest spacings, lengths are off by less
/// than L / 2^53 of themselves, on 4096 x 4096 pixels by a hundredth of f32's rounding. Axes of one
/// voxel have no say. Throws InputError where spacings differ so much that no place is left.
[[nodiscard]] DistanceScale spacing_scale(const Index3& size, const Vec3& spacing);

/// What is written for each voxel.
enum class DistanceForm {
  Length,         // f32, rounded from f64; without any background +infinity
  Square,         // f32: unit^2 * square, rounded from f64; without any background +infinity
  SquareInVoxels  // i32: the square itself, of weights of 1; without any background -1
};

/// Find costs time and memory; a solver must not pay where it is not asked for.
enum class NearestCells { Skip, Find };

/// The Euclidean distance of each voxel's centre to that of the nearest background voxel. What lies
/// outside the image is not background.
struct DistanceProblem {
  /// u8, one component: 0 is background, all else object. See objects_of().
  Volume objects;
  DistanceScale scale;
  DistanceForm form = DistanceForm::Length;
  NearestCells nearest = NearestCells::Skip;
};

struct DistanceMap {
  /// On the grid of the objects, in the problem's form.
  Volume distance;
  /// i32: the offset (x fastest) of the nearest background voxel, of equally near ones the
  /// smallest; a background voxel's own; -1 without any background. Empty where not asked for.
  Volume nearest;
};

using DistanceSolver = std::function<DistanceMap(const DistanceProblem&, Context&)>;

/// Each voxel without a label gets the label of the nearest voxel with one, of equally near ones
/// the smallest; all 0 where there is none.
struct InfluenceZonesProblem {
  LabelMap labels;
  DistanceScale scale;
};

using InfluenceZonesSolver = std::function<LabelMap(const InfluenceZonesProblem&, Context&)>;

/// The image as a solver reads it: not 0 is object. Shares the voxels where they are u8.
/// Throws InputError where a value is NaN, and Cancelled.
[[nodiscard]] Volume objects_of(const Volume& image, Context& context);

/// Throws InputError where the answer's types cannot hold the answer: SquareInVoxels on a grid
/// whose squared diagonal reaches 2^31, Find on a grid of 2^31 voxels. Solvers take it as checked.
void check_distance_fits(const Geometry& geometry, DistanceForm form, NearestCells nearest);

// Solvers: exact, the same bits for any number of threads. They throw Cancelled.

/// The CPU's fastest, for whoever needs distances inside another algorithm.
[[nodiscard]] DistanceMap distance_map(const DistanceProblem& problem, Context& context);

/// `min-plus`, the default: counts steps along columns in 16 bits, then takes the least of square
/// and squared distance along rows and along z, on vectors, for many cells at once: outward while
/// anything can still become less, and where that is far, between the nearest cells of every 32nd
/// place, which halving finds. The nearest cells and zones come out of the same passes, on squares
/// with a name below them. `envelope` where an image has more than 32767 rows, and for nearest
/// cells and zones where spacings differ.
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context);
namespace distance {
struct Kernel;
}
/// The same on one instruction set, for tests.
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem,
                                               const distance::Kernel& kernel, Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   const distance::Kernel& kernel,
                                                   Context& context);

/// `envelope`, the reference: a pass per axis, each line on its own. Along a line the nearest of
/// several candidates is found by halving, since the place of the nearest never goes back as one
/// goes along; that is the lower envelope of Meijster et al. 2000 and Felzenszwalb and Huttenlocher
/// 2012 without its divisions. O(n log n) for a line of n voxels.
[[nodiscard]] DistanceMap distance_by_envelope(const DistanceProblem& problem, Context& context);
[[nodiscard]] LabelMap influence_zones_by_envelope(const InfluenceZonesProblem& problem,
                                                   Context& context);

/// `iwpp-edt`, the baseline of Teodoro, Pan, Kurc, Kong, Cooper, Saltz 2013, section 2.2, Algorithm
/// 3: each voxel hands the background voxel that it holds for its nearest to its neighbours (8, in
/// space 26), after Danielsson 1980. Approximate: where the nearest voxel's zone is too thin to be
/// connected, a distance is too large (the paper's example: 13.038 for 13). Never too small; see
/// docs/algorithms/distance.md for how much was measured. One thread: several would make the result
/// depend on their order.
[[nodiscard]] DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context);

}  // namespace seedwave
