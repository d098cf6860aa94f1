// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/principal_components.h"

#include "core/base/error.h"
#include "core/texture/clusters/covariance.h"
#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <utility>

namespace seedwave {

namespace {

Points transposed(const Points& matrix) {
  Points turned = Points::zeros(matrix.dimensions, matrix.count());
  for (std::int64_t i = 0; i < matrix.count(); ++i) {
    for (std::int64_t j = 0; j < matrix.dimensions; ++j)
      turned.row(j)[i] = matrix.row(i)[j];
  }
  return turned;
}

}  // namespace

PrincipalComponents principal_components(const Points& points, const Points& map,
                                         std::int64_t count, Context& context) {
  require(points.count() > 0 && count > 0 && map.dimensions == points.dimensions);
  const std::vector<std::int32_t> one_group(static_cast<std::size_t>(points.count()));
  Points mean = means_of_groups(points, one_group, 1, context);
  const Points covariance = mean_product(offsets(points, one_group, mean, context), context);
  SymmetricEigen eigen = symmetric_eigen(product(product(map, covariance), transposed(map)));
  const auto kept = static_cast<std::size_t>(std::min(count, map.count()));
  eigen.values.resize(kept);
  eigen.vectors.values.resize(kept * static_cast<std::size_t>(map.count()));
  for (double& variance : eigen.values)
    variance = std::max(0.0, variance);
  return {.mean = std::move(mean.values),
          .axes = product(eigen.vectors, map),
          .variances = std::move(eigen.values)};
}

}  // namespace seedwave
