// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"
#include "core/texture/feature_sample.h"

#include <cstdint>
#include <vector>

namespace seedwave {

/// The directions along which features vary most from place to place, beside how much they vary
/// from a window to the one next to it: tissue changes slowly, what happens to lie in a window
/// does not.
///
/// y = axes (x - mean): uncorrelated over the picture, and each varies by 1 between neighbours.
struct AutocorrelationFactors {
  std::vector<double> mean;
  Points axes;
  /// Over the picture, falling: where there are tissues that differ, well above 1.
  std::vector<double> variances;
};

/// Minimum noise fractions (A. A. Green, M. Berman, P. Switzer, M. D. Craig, IEEE Trans. Geosci.
/// Remote Sens. 26(1):65-74, 1988), where noise is what differs between windows side by side: half
/// the mean of y y^T over the differences y of such pairs along x and along y, the covariance S of
/// a window's noise. So that it has an inverse it is shrunk: (1 - rho) S + rho (tr S / p) I with
/// rho = kNoiseShrinkage. The factors are the principal components of the features whitened by it.
///
/// sample: the features of the grid's windows. Pairs are a window's side apart, as nearly as the
/// grid has it, or closer in a picture that is not two windows wide. The first `count` factors, or
/// as many as there are features. Of features that do not vary the variances are 0. The same bits
/// for every number of threads; memory as principal_components(). Throws Cancelled.
[[nodiscard]] AutocorrelationFactors autocorrelation_factors(const Points& sample,
                                                             const SampleGrid& grid,
                                                             std::int64_t window,
                                                             std::int64_t count, Context& context);

inline constexpr double kNoiseShrinkage = 1e-4;

}  // namespace seedwave
