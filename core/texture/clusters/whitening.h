// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/clusters/points.h"

namespace seedwave {

/// Rows that turn vectors with the covariance (1 - shrinkage) S + shrinkage scale I into ones whose
/// covariance is the identity. `scale` is the mean of the diagonal of S; where that is 0, they are
/// orthogonal rows of length 1.
[[nodiscard]] Points whitening(const Points& covariance, double shrinkage, double scale);

/// The sum of the diagonal.
[[nodiscard]] double trace(const Points& matrix);

}  // namespace seedwave
