// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/feature_sample.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The directions along which features vary most over the image, relative to their variation
/// between adjacent windows. Tissue varies slowly with position; the random content of a window
/// does not.
///
/// y = axes (x - mean): uncorrelated over the image, and each with variance 1 between neighbours.
struct AutocorrelationFactors {
  std::vector<double> mean;
  Points axes;
  /// Variances over the image, in descending order. They are well above 1 if there are different
  /// tissues.
  std::vector<double> variances;
};

/// Computes minimum noise fractions (A. A. Green, M. Berman, P. Switzer, M. D. Craig, IEEE Trans.
/// Geosci. Remote Sens. 26(1):65-74, 1988). Noise is the difference between adjacent windows. The
/// covariance S of a window's noise is half the mean of y y^T over the differences y of such pairs
/// along x and along y. To be invertible it is shrunk: (1 - rho) S + rho (tr S / p) I with rho =
/// kNoiseShrinkage. The factors are the principal components of the features whitened by it.
///
/// `sample` holds the features of the grid's windows. Pairs are a window's side apart, as nearly as
/// the grid allows, or closer in an image less than two windows wide. Returns the first `count`
/// factors, or as many as there are features. Features that do not vary give variances of 0. The
/// result is bitwise equal for any number of threads. Memory is as for principal_components().
/// Throws Cancelled.
[[nodiscard]] AutocorrelationFactors autocorrelation_factors(const Points& sample,
                                                             const SampleGrid& grid,
                                                             std::int64_t window,
                                                             std::int64_t count, Context& context);

inline constexpr double kNoiseShrinkage = 1e-4;

}  // namespace seedwave
