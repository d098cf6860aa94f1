// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/principal_components.h"

#include "core/texture/clusters/covariance.h"
#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <cassert>

namespace seedwave {

PrincipalComponents principal_components(const Points& points, std::int64_t count,
                                         Context& context) {
  assert(points.count() > 0 && count > 0);
  const std::vector<std::int32_t> one_group(static_cast<std::size_t>(points.count()));
  const Points mean = means_of_groups(points, one_group, 1, context);
  SymmetricEigen eigen =
      symmetric_eigen(mean_product(offsets(points, one_group, mean, context), context));
  const auto kept = static_cast<std::size_t>(std::min(count, points.dimensions));
  eigen.values.resize(kept);
  eigen.vectors.values.resize(kept * mean.values.size());
  for (double& variance : eigen.values)
    variance = std::max(0.0, variance);
  return {.mean = mean.values, .axes = eigen.vectors, .variances = eigen.values};
}

}  // namespace seedwave
