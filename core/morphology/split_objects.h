// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/morphology/distance.h"
#include "core/morphology/each_label.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/watershed.h"
#include "core/parallel/context.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace seedwave {

/// Splits touching objects at their necks.
///
/// Each object cell has its distance d to the background. A peak of d counts as a centre if every
/// path from it to a higher peak descends by more than h. Equal peaks with no such saddle between
/// them are one. Every connected object has a centre, however thin it is. The centres are numbered
/// in raster order of their first cells. They are the markers of a watershed of -d inside the
/// objects, so necks become boundaries.
struct SplitProblem {
  /// u8: 0 is background, see objects_of().
  Volume objects;
  DistanceScale scale;
  /// In the scale's unit, at least 0; 0 keeps every peak.
  double h = 1.0;
  Connectivity connectivity = Connectivity::C4;
};

/// The solvers of the steps, on any backend. All are exact, so the result is bitwise equal for any
/// choice.
struct SplitSolvers {
  DistanceSolver distance;
  std::function<Reconstruction(const ReconstructionProblem&, Context&)> reconstruct;
  WatershedSolver watershed;
};

/// Returns labels 1, 2, ...; 0 is background. Works on the whole image. Throws Cancelled.
///
/// centres: if not null, gets the map of the centres.
[[nodiscard]] LabelMap split_objects(const SplitProblem& problem, const SplitSolvers& solvers,
                                     Context& context, LabelMap* centres = nullptr);

/// Splits objects at the valleys between peaks of any heights, as split_objects() does with
/// distances.
///
/// heights: f32 on the grid of `objects`, finite in the objects; freed early if the caller moves
/// them. h: in their unit. Throws Cancelled.
[[nodiscard]] LabelMap split_by_heights(Volume heights, const Volume& objects, double h,
                                        Connectivity connectivity, const SplitSolvers& solvers,
                                        Context& context, LabelMap* centres = nullptr);

/// Returns the same as split_objects(), bit for bit, with connected objects by themselves: those
/// near each other in one batch, whose arrays lie in a cache, and a batch on each thread; objects
/// larger than `side` voxels along an axis with all threads. Memory: the result, and some megabytes
/// for each thread.
///
/// Sound, since the nearest background voxel of any voxel lies in the box around its object, with
/// one voxel more on each side: a path to a farther one, along the axes and never away from it,
/// leaves the object before. So neither distances nor peaks nor floods know of other objects.
///
/// side: length of a batch, without the parts of objects that reach out of it; 0: chosen. Throws
/// Cancelled.
[[nodiscard]] LabelMap split_objects_in_batches(const SplitProblem& problem,
                                                const SplitSolvers& solvers, Context& context,
                                                std::int64_t side = 0);

/// The parts of the labels of a map.
struct SplitLabels {
  /// The number of the part in its label of each voxel, from 1; 0 is background.
  std::vector<std::uint32_t> parts;
  /// Number of parts of each label.
  std::map<Label, std::uint32_t> counts;
};

/// Splits labels as split_objects() does, whole or in batches.
using ObjectSplitter = std::function<LabelMap(const SplitProblem&, Context&)>;

/// Splits each label by itself: its parts are those of split_objects() with the label alone.
/// `how.objects` is not used. Throws Cancelled.
[[nodiscard]] SplitLabels split_labels(const LabelledObjects& objects, SplitProblem how,
                                       const ObjectSplitter& split, Context& context);

/// Returns the parts as labels: the number of the label times `step`, plus the number of the part.
/// With step 0 the parts of all labels are numbered 1, 2, ... in the order of the labels.
///
/// labels: the map that was split. Throws InputError if a label does not fit, Cancelled.
[[nodiscard]] LabelMap numbered_parts(const LabelMap& labels, const SplitLabels& split, Label step,
                                      Context& context);

}  // namespace seedwave
