// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/band.h"
#include "core/image/seed_set.h"
#include "core/image/volume.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave::border {

/// Intensities inside and outside a label near its border, and their contrast.
struct BorderModel {
  /// Intensities beyond these count as these.
  double low = 0.0;
  double high = 1.0;
  /// log(p / q) for densities p inside and q outside, at equally spaced intensities from low to
  /// high, and linear between them. At least two.
  std::vector<double> evidence;
  /// Difference of two neighbours' intensities at which an edge loses much of its capacity: sigma
  /// of a Gaussian.
  double contrast = 1.0;
  /// Factor of the evidence.
  double evidence_weight = 1.0;
  /// Half the sum of the differences of p and q, 0 to 1: how far they lie apart. 0 if not
  /// estimated.
  double apart = 0.0;
  friend bool operator==(const BorderModel&, const BorderModel&) = default;
};

/// Number of values of an estimated BorderModel::evidence.
inline constexpr std::size_t kEvidenceKnots = 33;

/// Estimates a model from the voxels near the border of a label: a ring with three times the reach
/// of the cut.
///
/// low and high are the 0.5 % and 99.5 % quantiles of the ring's intensities. The density inside is
/// that of the voxels that are sure and of seeds in the label, or of all its voxels if there are
/// none; that outside is of all others. They are histograms of 64
/// classes, smoothed by a Gaussian of two classes, with 1 % spread evenly; their logarithms'
/// difference is limited to +-4, and rounded to 0.01. The contrast is the root mean square of the
/// differences of face neighbours in the ring. The less the densities overlap, the more the
/// evidence weighs: 0.3 where half of their mass is apart or less, 1 from 80 %.
///
/// seeds: sorted by offset. Throws InputError for NaN or infinite values in the ring, and
/// Cancelled.
[[nodiscard]] BorderModel estimate_model(const Volume& image, Ring ring,
                                         std::span<const Seed> seeds, Context& context);

}  // namespace seedwave::border
