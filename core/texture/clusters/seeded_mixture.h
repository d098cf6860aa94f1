// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "core/texture/clusters/points.h"

#include <array>
#include <cstdint>
#include <vector>

namespace seedwave {

struct SeededMixtureProblem {
  /// As class_means() maps them: around their class's mean they spread by about 1.
  Points examples;
  /// 0 .. classes - 1 for each example; each class has one at least.
  std::vector<std::int32_t> class_of;
  std::int64_t classes = 1;
  /// Points whose class is not known; some may be of none.
  Points others;
};

/// Few examples that lie close together say badly how a class spreads and where its middle is; many
/// points of which nobody said the class say it well, once the examples say which cloud is whose.
///
/// y = axes x for the points x of the problem: the class is that of the nearest mean.
struct SeededMixture {
  Points axes;
  /// Of each class, mapped.
  Points means;
  /// Which of kExampleWeights; 0 where the examples alone count, and nothing is mapped elsewhere.
  double weight = 0.0;
};

/// How much the examples of all classes count, beside all others together.
inline constexpr std::array kExampleWeights{0.03, 0.1, 0.3, 1.0, 3.0};

/// Classes are t distributions of p dimensions, of p degrees of freedom and one shape C, as
/// frequent as each other, whose likelihood grows by rounds of EM from the examples' means m0_c and
/// C = I (D. Peel, G. J. McLachlan, Stat. Comput. 10(4):339-348, 2000: points far from all classes
/// count little), with the examples beside (K. Nigam, A. K. McCallum, S. Thrun, T. Mitchell, Mach.
/// Learn. 39:103-134, 2000). A round, over the N others x_i:
///
///   q_ic = 1 + (x_i - m_c)^T C^-1 (x_i - m_c) / p
///   u_ic = 2 / q_ic  q_ic^-p / (sum of q_ik^-p over the classes k)
///   m_c = (sum of u_ic x_i + w N / classes m0_c) / (sum of u_ic + w N / classes)
///   C = (sum of u_ic (x_i - m_c) (x_i - m_c)^T + w N E) / (N + w N)
///
/// E is the covariance of the examples about m0_c, w the first of kExampleWeights after whose
/// kMixtureRounds rounds each class has, by the nearest mean, at least 19 in 20 of as many of its
/// examples as it has by the nearest m0_c: nearly all that was shown stays as it was shown. Where
/// no weight keeps as many, the examples count alone. C is shrunk by kMixtureShrinkage towards a
/// multiple of the identity each time.
///
/// No function but the four operations and the square root is taken of any number: the same bits on
/// every machine and for every number of threads. Throws Cancelled.
[[nodiscard]] SeededMixture seeded_mixture(const SeededMixtureProblem& problem, Context& context);

inline constexpr int kMixtureRounds = 12;
inline constexpr double kMixtureShrinkage = 1e-3;

}  // namespace seedwave
