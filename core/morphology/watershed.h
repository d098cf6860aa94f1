// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// Watershed of an image f from markers: every cell goes to the marker that water, rising from all
/// markers at once, brings there first.
///
/// Exactly: C(c), the altitude of a cell, is the least possible highest f on a path from a marker
/// to c inside the mask, both ends included. D(c), its hops, is 0 at a marker and where f(c) = C(c)
/// and a neighbour lies lower; else one more than the least D of the neighbours at the same
/// altitude. The label is the smallest among the labels of the neighbours with the least (C, D),
/// compared in that order. A marker cell keeps its label and takes none. The result is unique: no
/// order of work decides, and where all values differ no numbering of the markers does.
///
/// By S. Beucher, F. Meyer, The morphological approach to segmentation: the watershed
/// transformation, 1993; floods in the same order of levels and hops as the usual queue of F. Meyer
/// (1991), as in ITK and scikit-image. Where that leaves equal (C, D) to the queue's order, here
/// the smallest label wins.
struct WatershedProblem {
  /// One value per voxel, any type, no NaN.
  Volume image;
  /// On the same grid: what is not 0 is a marker, its number the label. Outside the mask they count
  /// for nothing.
  LabelMap markers;
  /// On the same grid; empty: every cell takes part.
  LabelMap mask;
  Connectivity connectivity = Connectivity::C4;
};

/// The label of each cell, x fastest; 0 outside the mask and where no marker reaches.
using WatershedLabels = std::vector<std::uint16_t>;
/// watershed_by_tiles() and its like, on any backend. Throws InputError where grids differ, the
/// image has several values per voxel or one is NaN, and Cancelled.
using WatershedSolver = std::function<WatershedLabels(const WatershedProblem&, Context&)>;

/// `tiles`, the default: altitudes, hops and labels as three wavefronts on tiles, on all threads.
/// Keeps to the context's memory, in slabs where it must (watershed_in_slabs.h).
/// Throws UnavailableError where that is too little for any slab.
[[nodiscard]] WatershedLabels watershed_by_tiles(const WatershedProblem& problem, Context& context);
/// The least memory that it can do with beside image, markers, mask and labels: altitudes and hops
/// of all cells, tiles and what is read of a slab. Not counted: what each thread needs for itself.
[[nodiscard]] std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type,
                                                 Connectivity connectivity);

/// `flood`, the reference: one thread, cell by cell in the order of altitude and hops.
[[nodiscard]] WatershedLabels watershed_by_flood(const WatershedProblem& problem, Context& context);

/// How many marker cells the mask drops.
[[nodiscard]] std::int64_t markers_outside_mask(const WatershedProblem& problem);

/// Sets cells to 0 so that no two neighbours have different labels, but for markers that touch: of
/// two such neighbours the one with the larger label, or the one that is no marker. That is a line
/// one cell wide along each border, on the side of the larger label. It is drawn on the finished
/// labels, so the basins are those without lines; ITK and scikit-image let the line grow with the
/// flood, which puts it on either side.
void draw_watershed_lines(const WatershedProblem& problem, WatershedLabels& labels,
                          Context& context);

}  // namespace seedwave
