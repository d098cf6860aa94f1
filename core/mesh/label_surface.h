// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/label_map.h"
#include "core/mesh/surface.h"

#include <cstdint>
#include <limits>
#include <stop_token>

namespace seedwave {

/// Limits of smooth_surface: a larger label is reduced by an integer factor until it fits.
struct SurfaceLimits {
  /// Number of cells of the label's box, one byte each.
  std::int64_t cells = std::numeric_limits<std::int64_t>::max();
  std::int64_t triangles = std::numeric_limits<std::int64_t>::max();
};

/// Returns the smooth surface of one label; `box` holds its voxels. It is closed, also where the
/// label touches the border of the grid: every edge has exactly two triangles.
///
/// A small binomial filter smooths the indicator of the label. Each voxel keeps its side of one
/// half, so that nothing thin is lost and the surface stays within a voxel of the label. Marching
/// cubes give the triangles (Lorensen and Cline, SIGGRAPH 1987); voxels of the label that touch
/// diagonally are joined. All points are then moved outwards by the same small distance, so that
/// the surface encloses the volume of the label, which smoothing shrinks. They stay on their edges
/// of the grid, so triangles never cross. The same labels give the same points and triangles on
/// every machine.
/// Throws Cancelled, and UnavailableError if 31 bits cannot number the points. Any thread.
[[nodiscard]] Surface smooth_surface(const LabelMap& map, Label label, const Box& box,
                                     const SurfaceLimits& limits, const std::stop_token& stop);

/// Returns the faces between the voxels of one label and all others, two triangles a face. The
/// enclosed volume is exactly that of the voxels. Every edge has two triangles, or four where
/// voxels of the label touch along that edge only. Throws as smooth_surface.
[[nodiscard]] Surface voxel_faces(const LabelMap& map, Label label, const Box& box,
                                  const std::stop_token& stop);

}  // namespace seedwave
