// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/connectivity.h"
#include "core/image/label_map.h"
#include "core/image/volume.h"
#include "core/morphology/distance.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/watershed.h"
#include "core/parallel/context.h"

#include <functional>

namespace seedwave {

/// Touching objects parted at their necks.
///
/// Each object cell has its distance d to the background. A peak of d counts as a centre when one
/// has to go down by more than h to get from it to a higher one; equal peaks with no such saddle
/// between them are one. Every connected object has a centre, however thin it is. The centres,
/// numbered in raster order of their first cells, are the markers of a watershed of -d inside the
/// objects: so necks become borders.
struct SplitProblem {
  /// u8: 0 is background, see objects_of().
  Volume objects;
  DistanceScale scale;
  /// In the scale's unit, at least 0; 0: every peak.
  double h = 1.0;
  Connectivity connectivity = Connectivity::C4;
};

/// What the steps are computed with, on any backend. All exact: the same bits whichever they are.
struct SplitSolvers {
  DistanceSolver distance;
  std::function<Reconstruction(const ReconstructionProblem&, Context&)> reconstruct;
  WatershedSolver watershed;
};

/// Labels 1, 2, ...; 0 is background. Throws InputError where there are more than 65535 centres,
/// and Cancelled.
[[nodiscard]] LabelMap split_objects(const SplitProblem& problem, const SplitSolvers& solvers,
                                     Context& context);

}  // namespace seedwave
