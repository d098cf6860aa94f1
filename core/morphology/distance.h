// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <functional>

namespace seedwave {

/// Integer measure of distances on a grid. No order of additions can change a sum, equal distances
/// compare equal, and every algorithm gives bitwise equal results on every machine.
///
/// The square of a step (dx, dy, dz) is dx^2 weights[0] + dy^2 weights[1] + dz^2 weights[2], an
/// integer below 2^53, which f64 represents exactly. Its length is unit * sqrt(square), computed in
/// f64.
struct DistanceScale {
  Vec3 weights{1.0, 1.0, 1.0};
  double unit = 1.0;
};

/// Returns the scale for distances in voxels: each step has length 1.
[[nodiscard]] constexpr DistanceScale voxel_scale() noexcept {
  return {};
}

/// Returns the scale for distances in the unit of the spacing. Equal spacings have weights of 1.
/// Others are squared, divided by the smallest, and rounded to as many binary places as fit below
/// 2^52 on a grid of that size. With L the squared diagonal in smallest spacings, the relative
/// error of lengths is below L / 2^53. On 4096 x 4096 pixels that is a hundredth of f32's rounding.
/// Axes of one voxel are ignored. Throws InputError if spacings differ so much that no binary place
/// is left.
[[nodiscard]] DistanceScale spacing_scale(const Index3& size, const Vec3& spacing);

/// Selects the value written for each voxel.
enum class DistanceForm {
  Length,         // f32, rounded from f64; +infinity if there is no background
  Square,         // f32: unit^2 * square, rounded from f64; +infinity if there is no background
  SquareInVoxels  // i32: the square itself, for weights of 1; -1 if there is no background
};

/// Selects whether nearest background voxels are found. Find takes time and memory; with Skip a
/// solver must not spend them.
enum class NearestCells { Skip, Find };

/// Input of the Euclidean distance transform: the distance from each voxel's centre to that of the
/// nearest background voxel. Voxels outside the image are not background.
struct DistanceProblem {
  /// u8 with one component: 0 is background, everything else is object. See objects_of().
  Volume objects;
  DistanceScale scale;
  DistanceForm form = DistanceForm::Length;
  NearestCells nearest = NearestCells::Skip;
};

struct DistanceMap {
  /// Distances on the grid of the objects, in the problem's form.
  Volume distance;
  /// i32: the offset (x fastest) of the nearest background voxel, the smallest if several are
  /// equally near. A background voxel has its own offset. All -1 if there is no background. Empty
  /// if not requested.
  Volume nearest;
};

using DistanceSolver = std::function<DistanceMap(const DistanceProblem&, Context&)>;

/// Input of influence zones. Each voxel without a label gets the label of the nearest voxel with
/// one, the smallest if several are equally near. If there are no labels, all are 0.
struct InfluenceZonesProblem {
  LabelMap labels;
  DistanceScale scale;
};

using InfluenceZonesSolver = std::function<LabelMap(const InfluenceZonesProblem&, Context&)>;

/// Returns the image in the form that a solver reads: nonzero is object. Shares u8 voxels. Throws
/// InputError if a value is NaN. Throws Cancelled.
[[nodiscard]] Volume objects_of(const Volume& image, Context& context);

/// Throws InputError if the types of the answer cannot hold it: SquareInVoxels on a grid whose
/// squared diagonal reaches 2^31, or Find on a grid of 2^31 voxels. Solvers assume that this was
/// checked.
void check_distance_fits(const Geometry& geometry, DistanceForm form, NearestCells nearest);

// The solvers are exact and give bitwise equal results for any number of threads. They throw
// Cancelled.

/// Runs the CPU's fastest solver, for use inside other algorithms.
[[nodiscard]] DistanceMap distance_map(const DistanceProblem& problem, Context& context);

/// `min-plus`, the default. Counts steps along columns in 16 bits. Then takes the minimum of square
/// and squared distance along rows and along z, vectorised over many cells. It searches outward
/// while any cell can still decrease. If that is far, it searches between the nearest cells of
/// every 32nd position, found by binary search. The nearest cells and zones come from the same
/// passes, on squares with a name in the lower bits. Reads and writes in the order of rows, twice
/// and once. Uses `envelope` for nearest cells and zones if spacings differ or the grid's squared
/// diagonal reaches 2^30.
///
/// Ranks and workers divide the passes along columns and rows by rows of an image or slices of a
/// volume, and that along z by rows. The first rank gets the result. What `envelope` computes is
/// not divided.
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem, Context& context);
namespace distance {
struct Kernel;
class PartSolver;
}  // namespace distance
/// Runs the same with the kernel of one instruction set, for tests.
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem,
                                               const distance::Kernel& kernel, Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   const distance::Kernel& kernel,
                                                   Context& context);

/// Returns whether `min-plus` computes it by its own passes. For zones: Find.
[[nodiscard]] bool is_divided_by_min_plus(const Geometry& geometry, const DistanceScale& scale,
                                          NearestCells nearest);
/// Runs the same passes by the context's workers, each on its device by `devices`, or by its
/// threads if it has none; without workers on the context's device. Requires
/// is_divided_by_min_plus().
[[nodiscard]] DistanceMap distance_by_min_plus(const DistanceProblem& problem,
                                               distance::PartSolver& devices, Context& context);
[[nodiscard]] LabelMap influence_zones_by_min_plus(const InfluenceZonesProblem& problem,
                                                   distance::PartSolver& devices, Context& context);

/// `envelope`, the reference: one pass per axis, each line separately. Along a line the nearest of
/// several candidates is found by binary search, since its position never decreases along the line.
/// That is the lower envelope of Meijster et al. 2000 and Felzenszwalb and Huttenlocher 2012,
/// without divisions. O(n log n) for a line of n voxels.
[[nodiscard]] DistanceMap distance_by_envelope(const DistanceProblem& problem, Context& context);
[[nodiscard]] LabelMap influence_zones_by_envelope(const InfluenceZonesProblem& problem,
                                                   Context& context);

/// `iwpp-edt`, the baseline of Teodoro, Pan, Kurc, Kong, Cooper, Saltz 2013, section 2.2, Algorithm
/// 3. Each voxel passes the nearest background voxel that it knows to its neighbours (8 in 2-D, 26
/// in 3-D), after Danielsson 1980. Approximate: if the zone of the nearest voxel is too thin to be
/// connected, a distance is too large (the paper's example: 13.038 instead of 13). It is never too
/// small; docs/algorithms/distance.md gives measured errors. The context's workers and ranks share
/// it in slabs, each of which one thread solves. The order matters: another division of the grid
/// may err in other voxels, and so may another run of several workers or ranks.
[[nodiscard]] DistanceMap distance_by_iwpp(const DistanceProblem& problem, Context& context);

}  // namespace seedwave
