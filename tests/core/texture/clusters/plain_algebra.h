// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/texture/clusters/points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Plain algebra, term by term, for checking classes of points.
namespace seedwave::test {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

inline Vector difference(std::span<const double> a, std::span<const double> b) {
  Vector result(a.size());
  for (std::size_t j = 0; j < a.size(); ++j)
    result[j] = a[j] - b[j];
  return result;
}

/// Returns the mean of the points of each group, in their order.
inline Matrix means_of(const Points& points, const std::vector<std::int32_t>& group_of,
                       std::int64_t groups) {
  const auto p = static_cast<std::size_t>(points.dimensions);
  Matrix means(static_cast<std::size_t>(groups), Vector(p));
  for (std::size_t c = 0; c < means.size(); ++c) {
    double count = 0.0;
    for (std::int64_t i = 0; i < points.count(); ++i) {
      if (group_of[i] != static_cast<std::int32_t>(c)) continue;
      ++count;
      for (std::size_t j = 0; j < p; ++j)
        means[c][j] += points.row(i)[j];
    }
    for (double& value : means[c])
      value /= count;
  }
  return means;
}

/// Returns y^T C^-1 y, by Gauss-Jordan elimination.
inline double mahalanobis(Matrix covariance, const Vector& y) {
  Vector solved = y;
  for (std::size_t pivot = 0; pivot < y.size(); ++pivot) {
    for (std::size_t row = 0; row < y.size(); ++row) {
      if (row == pivot) continue;
      const double times = covariance[row][pivot] / covariance[pivot][pivot];
      for (std::size_t j = pivot; j < y.size(); ++j)
        covariance[row][j] -= times * covariance[pivot][j];
      solved[row] -= times * solved[pivot];
    }
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < y.size(); ++j)
    sum += y[j] * solved[j] / covariance[j][j];
  return sum;
}

inline bool close(double a, double b, double share) {
  return std::abs(a - b) <= share * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace seedwave::test
