// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/morphology/connected_parts.h"
#include "core/morphology/convex_hull.h"
#include "core/morphology/surface_weights.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace seedwave {

/// The shape of an object, lengths in the unit of its grid. A number that does not apply (those of
/// the plane to volumes, and those of the surface to images) is NaN.
///
/// perimeter: by the formula of Crofton with lines in four directions, which are those of a pixel's
/// neighbours, weighted by the angles between them (S. Rivollier, thesis, Saint-Etienne 2010; on
/// square pixels the same as scikit-image's perimeter_crofton). Holes count. Drawn discs of radius
/// 10 or more are within 3 %, of 5 to 10 within 5 %, and right on average. Large squares are 5 %
/// too short if upright or at 45 degrees, up to 2.5 % too long between. circularity: 4 pi area /
/// perimeter^2, at most 1, which the estimate would exceed for specks. surface_area: by the formula
/// of Crofton with lines in the 13 directions of a voxel's neighbours: see surface_weights(). Holes
/// count. sphericity: the surface of the ball with the same volume / surface_area, at most 1
/// (H. Wadell, J. Geol. 43(3), 1935). solidity: area / area of the
/// convex hull of the pixels as squares, as ImageJ and QuPath do. diameters: the largest and
/// smallest distance of two parallel lines around the hull (Feret). axes: of the ellipse or
/// ellipsoid with the same second moments, pixels being squares (each adds spacing^2 / 12), longest
/// first; in 2-D the second is NaN. eccentricity: sqrt(1 - (shortest axis / longest axis)^2).
/// orientation: angle of the longest axis in degrees, counter-clockwise from the right, from 0 to
/// below 180; 0 if the axes are equal. As on the screen: rows go down.
struct ObjectShape {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  struct Hull {
    double solidity = kNone;
    double largest_diameter = kNone;
    double smallest_diameter = kNone;
  };

  double perimeter = kNone;
  double circularity = kNone;
  double surface_area = kNone;
  double sphericity = kNone;
  Hull hull;
  std::array<double, 3> axes{kNone, kNone, kNone};
  double eccentricity = kNone;
  double orientation = kNone;
};

/// Sums over the voxels of an object from which its shape follows. Indices count from the corner of
/// its box.
struct ShapeSums {
  /// Sums of products of indices: xx, yy, zz, xy, xz, yz.
  std::array<double, 6> products{};
  /// Numbers of pairs of its voxels along each of line_directions(); in the plane along the first
  /// four.
  std::array<std::int64_t, kLineDirections> pairs{};

  /// Adds voxels begin .. end - 1 of a row. The pairs with other rows are added apart.
  void add_run(std::int64_t begin, std::int64_t end, std::int64_t y, std::int64_t z) noexcept;
  void add(const ShapeSums& other) noexcept;
};

/// Sets all but the hull. `weights`: of surface_weights(), for volumes.
void set_shape(const ConnectedPart& object, const ShapeSums& sums, const Geometry& geometry,
               const SurfaceWeights& weights, ObjectShape& shape);

/// Returns solidity and diameters of an object in the plane. `hull`: of reduce_to_hull().
[[nodiscard]] ObjectShape::Hull hull_shape(std::span<const Corner> hull,
                                           const ConnectedPart& object, const Geometry& geometry);

}  // namespace seedwave
