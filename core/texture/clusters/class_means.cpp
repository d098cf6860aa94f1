// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/class_means.h"

#include "core/base/error.h"
#include "core/texture/clusters/covariance.h"
#include "core/texture/clusters/ordered_sums.h"
#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace seedwave {
namespace {

/// Returns rho. `sample` is the covariance of `offsets`.
double shrinkage(const Points& offsets, const Points& sample, double scale, Context& context) {
  const double squares = dot(sample.values, sample.values);
  const double off_identity =  // d^2
      squares - static_cast<double>(sample.dimensions) * scale * scale;
  if (!(off_identity > 0.0)) return 1.0;  // S is a multiple of the identity
  const double fourths =
      ordered_sums(offsets.count(), 1, context, [&](std::int64_t i, std::span<double> sum) {
        const double length = dot(offsets.row(i), offsets.row(i));
        sum[0] += length * length;
      })[0];
  const auto count = static_cast<double>(offsets.count());
  // y y^T - S|^2 is |y|^4 - 2 y^T S y + |S|^2, and the mean of y^T S y is |S|^2.
  const double error = (fourths / count - squares) / count;  // b^2
  return std::clamp(error / off_identity, kLeastShrinkage, 1.0);
}

/// Builds an orthonormal basis vector by vector (Gram and Schmidt, applied twice because once
/// leaves rounding errors).
class Basis {
 public:
  explicit Basis(std::int64_t dimensions) : vectors_{.dimensions = dimensions, .values = {}} {}

  /// Adds the direction of the part of `vector` outside the basis, unless that part is shorter than
  /// `least` times its length.
  void add(std::vector<double> vector, double least) {
    const double length = norm_of(vector);
    for (int time = 0; time < 2; ++time) {
      for (std::int64_t i = 0; i < vectors_.count(); ++i) {
        const double along = dot(vectors_.row(i), vector);
        for (std::size_t j = 0; j < vector.size(); ++j)
          vector[j] -= along * vectors_.row(i)[j];
      }
    }
    const double rest = norm_of(vector);
    if (!(rest > least * length)) return;
    for (const double entry : vector)
      vectors_.values.push_back(entry / rest);
  }
  [[nodiscard]] std::int64_t count() const { return vectors_.count(); }
  [[nodiscard]] const Points& vectors() const { return vectors_; }

 private:
  static double norm_of(const std::vector<double>& vector) {
    return std::sqrt(dot(vector, vector));
  }

  Points vectors_;
};

/// Returns a basis in whitened space: the span of the means, then axes from the first on.
Points basis_of(const Points& means, std::int64_t most) {
  constexpr double kRounding = 1e-10;
  constexpr double kSpanned = 1e-6;
  const std::int64_t dimensions = means.dimensions;
  Basis basis(dimensions);
  for (std::int64_t c = 1; c < means.count(); ++c) {
    std::vector<double> apart(static_cast<std::size_t>(dimensions));
    for (std::int64_t j = 0; j < dimensions; ++j)
      apart[j] = means.row(c)[j] - means.row(0)[j];
    basis.add(std::move(apart), kRounding);
  }
  for (std::int64_t axis = 0; axis < dimensions && basis.count() < most; ++axis) {
    std::vector<double> unit(static_cast<std::size_t>(dimensions));
    unit[axis] = 1.0;
    basis.add(std::move(unit), kSpanned);
  }
  return basis.vectors();
}

}  // namespace

ClassMeans class_means(const ClassMeansProblem& problem, Context& context) {
  const Points& points = problem.points;
  require(points.count() > 0 && problem.classes > 0 && problem.dimensions > 0);
  const std::vector<std::int32_t> one_group(static_cast<std::size_t>(points.count()));
  ClassMeans result{.origin = means_of_groups(points, one_group, 1, context).values};
  const Points means = means_of_groups(points, problem.class_of, problem.classes, context);
  const Points apart = offsets(points, problem.class_of, means, context);
  const Points sample = mean_product(apart, context);
  const double scale = trace(sample) / static_cast<double>(sample.dimensions);
  result.shrinkage = shrinkage(apart, sample, scale, context);
  const Points rows = whitening(sample, result.shrinkage, scale);
  const Points whitened = mapped(means, result.origin, rows, context);
  result.axes = product(basis_of(whitened, problem.dimensions), rows);
  result.means = mapped(means, result.origin, result.axes, context);
  return result;
}

}  // namespace seedwave
