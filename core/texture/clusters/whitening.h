// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/clusters/points.h"

namespace seedwave {

/// Returns rows that map vectors with the covariance (1 - shrinkage) S + shrinkage scale I to
/// vectors with the identity as covariance. `scale` is the mean of the diagonal of S. If it is 0,
/// the rows are orthogonal with length 1.
[[nodiscard]] Points whitening(const Points& covariance, double shrinkage, double scale);

/// Returns the sum of the diagonal.
[[nodiscard]] double trace(const Points& matrix);

}  // namespace seedwave
