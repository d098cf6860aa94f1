// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/distance.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Sums up to this value are exact in f64.
constexpr double kLargestSquare = 9007199254740992.0;  // 2^53

double squared(double value) {
  return value * value;
}

}  // namespace

DistanceScale spacing_scale(const Index3& size, const Vec3& spacing) {
  double smallest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > 1) smallest = std::min(smallest, spacing[axis]);
  }
  DistanceScale scale;
  if (!std::isfinite(smallest)) return scale;  // axes of one voxel only: there are no steps
  scale.unit = smallest;
  double diagonal = 0.0;  // squared, in units of the smallest spacing
  bool equal = true;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] == 1) continue;
    scale.weights[axis] = squared(spacing[axis] / smallest);
    diagonal += squared(static_cast<double>(size[axis] - 1)) * scale.weights[axis];
    equal = equal && spacing[axis] == smallest;
  }
  if (equal) return scale;
  // Leaves half of the range of f64 free; rounding up adds less.
  int places = -1;
  while (std::ldexp(diagonal, places + 1) < kLargestSquare / 2)
    ++places;
  if (places < 0) {
    throw InputError("spacings of " + number_text(spacing[0]) + ", " + number_text(spacing[1]) +
                     " and " + number_text(spacing[2]) + " differ too much for distances");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > 1) scale.weights[axis] = std::round(std::ldexp(scale.weights[axis], places));
  }
  scale.unit = smallest / std::sqrt(std::ldexp(1.0, places));
  return scale;
}

Volume objects_of(const Volume& image, Context& context) {
  if (image.type() == VoxelType::U8) return image;
  refuse_nan(image, "the image");
  constexpr std::int64_t kGrain = 1 << 18;
  const std::int64_t count = image.geometry().voxel_count();
  std::vector<std::uint8_t> objects(static_cast<std::size_t>(count));
  visit_voxels(image, [&](auto voxels) {
    parallel_for(context, (count + kGrain - 1) / kGrain, 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t block = begin; block < end; ++block) {
                     context.checkpoint(0.0);
                     const std::int64_t stop = std::min(count, (block + 1) * kGrain);
                     for (std::int64_t i = block * kGrain; i < stop; ++i)
                       objects[i] = voxels[i] != 0 ? 1 : 0;
                   }
                 });
  });
  return Volume(image.geometry(), std::move(objects));
}

void check_distance_fits(const Geometry& geometry, DistanceForm form, NearestCells nearest) {
  constexpr double kTooLarge = 2147483648.0;  // 2^31
  if (form == DistanceForm::SquareInVoxels) {
    double diagonal = 0.0;
    for (const std::int64_t n : geometry.size)
      diagonal += squared(static_cast<double>(n));
    if (diagonal >= kTooLarge) {
      throw InputError("squared distances in voxels are 32-bit whole numbers and do not fit on " +
                       describe(geometry) + ": ask for mm, or for distances that are not squared");
    }
  }
  if (nearest == NearestCells::Find && static_cast<double>(geometry.voxel_count()) >= kTooLarge) {
    throw InputError(
        "the index of the nearest voxel is a 32-bit whole number and does not fit on " +
        describe(geometry) + ": choose a region of fewer than 2147483648 voxels");
  }
}

DistanceMap distance_map(const DistanceProblem& problem, Context& context) {
  return distance_by_min_plus(problem, context);
}

}  // namespace seedwave
