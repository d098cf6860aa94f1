// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/seeded_mixture.h"

#include "core/base/error.h"
#include "core/texture/clusters/covariance.h"
#include "core/texture/clusters/ordered_sums.h"
#include "core/texture/clusters/symmetric_eigen.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace seedwave {
namespace {

/// A class may lose one in this many of its examples.
constexpr std::int64_t kLosesOneOf = 20;

/// The unmapped means, and the rows that whiten C.
struct Model {
  Points means;
  Points axes;
};

Points mapped_means(const Model& model, Context& context) {
  const std::vector<double> origin(static_cast<std::size_t>(model.means.dimensions));
  return mapped(model.means, origin, model.axes, context);
}

/// Returns for each class the number of its examples whose nearest mean is its own. In a tie the
/// first mean counts.
std::vector<std::int64_t> kept_examples(const SeededMixtureProblem& problem, const Model& model,
                                        Context& context) {
  const Points means = mapped_means(model, context);
  const std::vector<double> origin(static_cast<std::size_t>(problem.examples.dimensions));
  const Points examples = mapped(problem.examples, origin, model.axes, context);
  std::vector<std::int64_t> kept(static_cast<std::size_t>(problem.classes));
  for (std::int64_t i = 0; i < examples.count(); ++i) {
    const std::int32_t found = nearest(examples.row(i), means).row;
    if (found == problem.class_of[i]) ++kept[found];
  }
  return kept;
}

double power(double base, std::int64_t exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 == 1) result *= base;
  }
  return result;
}

/// Sums over the other points in order: of u_ic, of u_ic x_i, and of x_i x_i^T times the sum of
/// u_ic over the classes (on and below the diagonal).
class Sums {
 public:
  Sums(std::int64_t classes, std::int64_t dimensions) : classes_(classes), p_(dimensions) {}

  [[nodiscard]] std::int64_t length() const { return classes_ * (1 + p_) + p_ * p_; }
  /// Adds a point x with `u` for each class.
  void add(std::span<const double> x, std::span<const double> u, std::span<double> sums) const {
    double all = 0.0;
    for (std::int64_t c = 0; c < classes_; ++c) {
      sums[c] += u[c];
      all += u[c];
      double* const first = &sums[first_of(c)];
      for (std::int64_t a = 0; a < p_; ++a)
        first[a] += u[c] * x[a];
    }
    for (std::int64_t a = 0; a < p_; ++a) {
      double* const second = &sums[second_of(a)];
      const double times = all * x[a];
      for (std::int64_t b = 0; b <= a; ++b)
        second[b] += times * x[b];
    }
  }
  [[nodiscard]] std::size_t first_of(std::int64_t c) const { return classes_ + c * p_; }
  [[nodiscard]] std::size_t second_of(std::int64_t a) const { return classes_ * (1 + p_) + a * p_; }

 private:
  std::int64_t classes_;
  std::int64_t p_;
};

/// Returns u_ic of each class for a mapped point. The means are mapped too.
std::vector<double> weights_of(std::span<const double> x, const Points& means) {
  std::vector<double> q;
  for (std::int64_t c = 0; c < means.count(); ++c)
    q.push_back(1.0 + squared_distance(x, means.row(c)) / static_cast<double>(means.dimensions));
  const double least = *std::ranges::min_element(q);
  std::vector<double> u;
  double all = 0.0;
  for (const double one : q) {
    u.push_back(power(least / one, means.dimensions));
    all += u.back();
  }
  for (std::size_t c = 0; c < q.size(); ++c)
    u[c] = 2.0 * u[c] / (all * q[c]);
  return u;
}

std::vector<double> sums_over_others(const SeededMixtureProblem& problem, const Model& model,
                                     const Sums& sums, Context& context) {
  const Points means = mapped_means(model, context);
  const std::vector<double> origin(static_cast<std::size_t>(problem.others.dimensions));
  const Points others = mapped(problem.others, origin, model.axes, context);
  return ordered_sums(others.count(), sums.length(), context,
                      [&](std::int64_t i, std::span<double> into) {
                        sums.add(problem.others.row(i), weights_of(others.row(i), means), into);
                      });
}

/// Values that remain the same in all rounds.
struct Start {
  Points means;
  /// E, the covariance of the examples about their means.
  Points covariance;
};

Model next(const SeededMixtureProblem& problem, const Start& start, const Model& model,
           double weight, Context& context) {
  const std::int64_t p = problem.others.dimensions;
  const Sums places(problem.classes, p);
  const std::vector<double> sums = sums_over_others(problem, model, places, context);
  const auto count = static_cast<double>(problem.others.count());
  const double as_many = weight * count / static_cast<double>(problem.classes);
  Points means = Points::zeros(problem.classes, p);
  for (std::int64_t c = 0; c < problem.classes; ++c) {
    for (std::int64_t a = 0; a < p; ++a)
      means.row(c)[a] =
          (sums[places.first_of(c) + a] + as_many * start.means.row(c)[a]) / (sums[c] + as_many);
  }
  Points shape = Points::zeros(p, p);
  for (std::int64_t a = 0; a < p; ++a) {
    for (std::int64_t b = 0; b <= a; ++b) {
      double apart = sums[places.second_of(a) + b];
      for (std::int64_t c = 0; c < problem.classes; ++c) {
        const double* const first = &sums[places.first_of(c)];
        const auto mean = means.row(c);
        apart += sums[c] * mean[a] * mean[b] - first[a] * mean[b] - mean[a] * first[b];
      }
      shape.row(a)[b] =
          (apart + weight * count * start.covariance.row(a)[b]) / (count + weight * count);
    }
  }
  const double scale = trace(shape) / static_cast<double>(p);
  return {.means = std::move(means), .axes = whitening(shape, kMixtureShrinkage, scale)};
}

bool keeps(const std::vector<std::int64_t>& kept, const std::vector<std::int64_t>& at_first) {
  return std::ranges::equal(kept, at_first, [](std::int64_t now, std::int64_t then) {
    return kLosesOneOf * now >= (kLosesOneOf - 1) * then;
  });
}

Points identity(std::int64_t dimensions) {
  Points matrix = Points::zeros(dimensions, dimensions);
  for (std::int64_t a = 0; a < dimensions; ++a)
    matrix.row(a)[a] = 1.0;
  return matrix;
}

}  // namespace

SeededMixture seeded_mixture(const SeededMixtureProblem& problem, Context& context) {
  require(problem.examples.dimensions == problem.others.dimensions);
  Start start;
  start.means = means_of_groups(problem.examples, problem.class_of, problem.classes, context);
  start.covariance =
      mean_product(offsets(problem.examples, problem.class_of, start.means, context), context);
  const Model first{.means = start.means, .axes = identity(problem.examples.dimensions)};
  const std::vector<std::int64_t> at_first = kept_examples(problem, first, context);
  for (const double weight : kExampleWeights) {
    if (problem.others.count() == 0) break;
    Model model = first;
    for (int round = 0; round < kMixtureRounds; ++round)
      model = next(problem, start, model, weight, context);
    if (!keeps(kept_examples(problem, model, context), at_first)) continue;
    Points means = mapped_means(model, context);
    return {.axes = std::move(model.axes), .means = std::move(means), .weight = weight};
  }
  return {.axes = first.axes, .means = first.means, .weight = 0.0};
}

}  // namespace seedwave
