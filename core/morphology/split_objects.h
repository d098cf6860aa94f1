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

/// Returns labels 1, 2, ...; 0 is background. Throws Cancelled.
[[nodiscard]] LabelMap split_objects(const SplitProblem& problem, const SplitSolvers& solvers,
                                     Context& context);

}  // namespace seedwave
