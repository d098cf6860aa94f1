// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <array>
#include <cstddef>

namespace seedwave {

/// Number of directions from a voxel to its 26 neighbours, one of each two opposite ones.
inline constexpr std::size_t kLineDirections = 13;

/// The directions as steps of indices: along a row first, then three in each of the other rows that
/// hold neighbours.
[[nodiscard]] const std::array<Index3, kLineDirections>& line_directions();

/// An area for each direction.
using SurfaceWeights = std::array<double, kLineDirections>;

/// Returns weights w with which the sum of w_k n_k estimates the surface area of a set of voxels.
/// n_k is the number of its runs along direction k: of its voxels that no voxel of it precedes by
/// that step.
///
/// By the formula of Crofton the area is four times the mean, over all directions, of the number of
/// chords times the area of the cross-section that each line stands for. Here w_k = 4 s_k v / l_k,
/// with the volume v of a voxel, the length l_k of the step, and the share s_k of the sphere whose
/// points are nearest to the direction or its opposite: cells of a spherical Voronoi diagram. The
/// directions depend on the spacing, and so do the shares.
///
/// spacing: positive, finite. Shares are rounded to multiples of 2^-40, so that the last bits of a
/// system's arc tangent do not matter.
/// Source: G. Lehmann, D. Legland, Insight Journal 2012, "Efficient N-Dimensional surface
/// estimation using Crofton formula and run-length encoding"; D. Legland, K. Kieu, M.-F. Devaux,
/// Image Anal. Stereol. 26(2):83-92, 2007. ITK has the shares of cubic voxels for any spacing.
[[nodiscard]] SurfaceWeights surface_weights(const Vec3& spacing);

}  // namespace seedwave
