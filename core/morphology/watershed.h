// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>

namespace seedwave {

/// Watershed of an image f from markers: water rises from all markers at once, and every cell gets
/// the marker whose water arrives first.
///
/// Definition: let the height of a path be the highest f on it, both ends included. The altitude
/// C(c) of a cell is the minimum height of all paths inside the mask from a marker to c. Its hops
/// D(c) are 0 at a marker, and where f(c) = C(c) and a neighbour has a lower altitude. Otherwise
/// they are one more than the smallest D of the neighbours at the same altitude. The label is the
/// smallest among the labels of the neighbours with the smallest (C, D), compared in that order. A
/// marker cell keeps its label and takes none. The result is unique: it does not depend on the
/// order of work, nor on the numbering of the markers if all values differ.
///
/// By S. Beucher, F. Meyer, The morphological approach to segmentation: the watershed
/// transformation, 1993. Floods in the same order of levels and hops as the usual queue of F. Meyer
/// (1991), as in ITK and scikit-image. For equal (C, D) these use the order of the queue; here the
/// smallest label wins.
struct WatershedProblem {
  /// One value per voxel, any type, without NaN.
  Volume image;
  /// On the same grid: nonzero values are markers and give the label. Markers outside the mask are
  /// ignored.
  LabelMap markers;
  /// On the same grid. If empty, every cell takes part.
  LabelMap mask;
  Connectivity connectivity = Connectivity::C4;
};

/// watershed_by_tiles() and other solvers, on any backend. Returns the label of each cell; 0
/// outside the mask and where no marker reaches. The labels are stored as the markers are, but not
/// in u8. Throws InputError if grids differ, or if the image has several values per voxel or a NaN.
/// Throws Cancelled.
using WatershedSolver = std::function<LabelMap(const WatershedProblem&, Context&)>;

/// `tiles`, the default: altitudes, hops and labels as three wavefronts on tiles, on all threads.
/// Respects the context's memory limit, in slabs if necessary (watershed_in_slabs.h). Throws
/// UnavailableError if the limit is too small for any slab.
[[nodiscard]] LabelMap watershed_by_tiles(const WatershedProblem& problem, Context& context);
/// Returns its smallest memory besides image, markers, mask and labels: altitudes and hops of all
/// cells, tiles, and the data of a slab. Excludes the memory of each thread.
[[nodiscard]] std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type,
                                                 Connectivity connectivity);

/// `flood`, the reference: one thread, cell by cell in the order of altitude and hops.
[[nodiscard]] LabelMap watershed_by_flood(const WatershedProblem& problem, Context& context);

/// Returns the number of marker cells outside the mask.
[[nodiscard]] std::int64_t markers_outside_mask(const WatershedProblem& problem);

/// Returns the labels with cells set to 0 so that no two neighbours have different ones, except for
/// markers that touch. The neighbour with the larger label is cleared, or the one that is not a
/// marker. This gives a line one cell wide along each boundary, on the side of the larger label.
/// The line is drawn on the final labels, so the basins are those without lines. In ITK and
/// scikit-image the line is part of the flood, which puts it on either side.
[[nodiscard]] LabelMap with_watershed_lines(const WatershedProblem& problem, const LabelMap& labels,
                                            Context& context);

}  // namespace seedwave
