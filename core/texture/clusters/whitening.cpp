// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/whitening.h"

#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave {

Points whitening(const Points& covariance, double shrinkage, double scale) {
  SymmetricEigen eigen = symmetric_eigen(covariance);
  if (!(scale > 0.0)) return std::move(eigen.vectors);
  for (std::int64_t i = 0; i < eigen.vectors.count(); ++i) {
    const double variance = (1.0 - shrinkage) * std::max(0.0, eigen.values[i]) + shrinkage * scale;
    for (double& entry : eigen.vectors.row(i))
      entry /= std::sqrt(variance);
  }
  return std::move(eigen.vectors);
}

double trace(const Points& matrix) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < matrix.dimensions; ++i)
    sum += matrix.row(i)[i];
  return sum;
}

}  // namespace seedwave
