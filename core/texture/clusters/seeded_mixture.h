// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave {

struct SeededMixtureProblem {
  /// Examples as mapped by class_means(): their spread about their class's mean is about 1.
  Points examples;
  /// 0 .. classes - 1 for each example. Each class has at least one.
  std::vector<std::int32_t> class_of;
  std::int64_t classes = 1;
  /// Points of unknown class. Some may belong to none.
  Points others;
};

/// A few examples close together are a poor estimate of the mean and covariance of a class. Many
/// unlabelled points are a good one, once the examples assign the point clouds to classes.
///
/// y = axes x for the points x of the problem. The class is that of the nearest mean.
struct SeededMixture {
  Points axes;
  /// The mapped mean of each class.
  Points means;
  /// The selected one of kExampleWeights, or 0 if only the examples count and the map is the
  /// identity.
  double weight = 0.0;
};

/// Weights of the examples of all classes together, relative to all other points together.
inline constexpr std::array kExampleWeights{0.03, 0.1, 0.3, 1.0, 3.0};

/// Fits a mixture of t distributions of p dimensions with p degrees of freedom, a common shape C
/// and equal frequencies. The likelihood rises by rounds of EM from the examples' means m0_c and C
/// = I (D. Peel, G. J. McLachlan, Stat. Comput. 10(4):339-348, 2000: points far from all classes
/// have little weight). The examples take part (K. Nigam, A. K. McCallum, S. Thrun, T. Mitchell,
/// Mach. Learn. 39:103-134, 2000). A round, over the N other points x_i:
///
///   q_ic = 1 + (x_i - m_c)^T C^-1 (x_i - m_c) / p
///   u_ic = 2 / q_ic  q_ic^-p / (sum of q_ik^-p over the classes k)
///   m_c = (sum of u_ic x_i + w N / classes m0_c) / (sum of u_ic + w N / classes)
///   C = (sum of u_ic (x_i - m_c) (x_i - m_c)^T + w N E) / (N + w N)
///
/// E is the covariance of the examples about m0_c. Let n_c be the number of a class's examples
/// nearest to their own m0_c. w is the first of kExampleWeights for which, after kMixtureRounds
/// rounds, at least 19/20 n_c examples of each class are nearest to their own m_c. So nearly all
/// examples keep their class. If no weight achieves that, only the examples count. In each round C
/// is shrunk by kMixtureShrinkage towards a multiple of the identity.
///
/// Uses only the four arithmetic operations and the square root: the result is bitwise equal on
/// every machine and for any number of threads. Throws Cancelled.
[[nodiscard]] SeededMixture seeded_mixture(const SeededMixtureProblem& problem, Context& context);

inline constexpr int kMixtureRounds = 12;
inline constexpr double kMixtureShrinkage = 1e-3;

}  // namespace seedwave
