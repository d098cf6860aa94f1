// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/symmetric_eigen.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

// Eigen would block products by the cache sizes of this processor, and with them the sums: results
// would differ in bits on another processor.
#define EIGEN_NO_CPUID
#define EIGEN_MPL2_ONLY
#include <Eigen/Eigenvalues>

namespace seedwave {
namespace {

void make_largest_entry_positive(std::span<double> vector) {
  const double largest = *std::max_element(
      vector.begin(), vector.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest > 0.0) return;
  for (double& value : vector)
    value = -value;
}

}  // namespace

SymmetricEigen symmetric_eigen(const Points& matrix) {
  const std::int64_t rows = matrix.dimensions;
  require(rows > 0 && matrix.count() == rows);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> entries(matrix.values.data(), rows, rows);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(entries);
  if (solver.info() != Eigen::Success)
    throw InputError("the directions along which these numbers vary cannot be told apart");
  SymmetricEigen result{.values = {}, .vectors = Points::zeros(rows, rows)};
  for (std::int64_t i = 0; i < rows; ++i) {  // Eigen's values are in ascending order
    const std::int64_t from = rows - 1 - i;
    result.values.push_back(solver.eigenvalues()[from]);
    const std::span<double> vector = result.vectors.row(i);
    for (std::int64_t j = 0; j < rows; ++j)
      vector[j] = solver.eigenvectors()(j, from);
    make_largest_entry_positive(vector);
  }
  return result;
}

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
