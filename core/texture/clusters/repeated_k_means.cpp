// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/repeated_k_means.h"

#include "core/parallel/parallel_for.h"
#include "core/texture/clusters/ordered_sums.h"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Returns the sum of the squared distances to the centres.
double spread_of(const KMeansProblem& problem, const Clusters& clusters, Context& context) {
  return ordered_sums(
      problem.points.count(), 1, context, [&](std::int64_t i, std::span<double> sum) {
        const auto centre = clusters.centres.row(clusters.of_point[i]);
        sum[0] += weight_of(problem, i) * squared_distance(problem.points.row(i), centre);
      })[0];
}

/// Returns the first index at which the cumulative sum of `chances` exceeds the given share of the
/// total.
std::int64_t pick(const std::vector<double>& chances, double share) {
  double all = 0.0;
  for (const double chance : chances)
    all += chance;
  double sum = 0.0;
  for (std::int64_t i = 0; i < std::ssize(chances); ++i) {
    sum += chances[i];
    if (sum > share * all) return i;
  }
  return std::ssize(chances) - 1;
}

/// Returns the starts of k-means++, fewer if there are not enough distinct points.
Points spread_starts(const KMeansProblem& problem, std::uint64_t number, Context& context) {
  constexpr int kFraction = 53;  // bits of an f64's fraction
  std::mt19937_64 numbers(number);
  const Points& points = problem.points;
  std::vector<double> squared(static_cast<std::size_t>(points.count()),
                              std::numeric_limits<double>::infinity());
  std::vector<double> chances;
  for (std::int64_t i = 0; i < points.count(); ++i)
    chances.push_back(weight_of(problem, i));
  Points starts{.dimensions = points.dimensions, .values = {}};
  while (starts.count() < problem.clusters) {
    context.checkpoint(0.0);
    if (std::all_of(chances.begin(), chances.end(), [](double chance) { return chance == 0.0; }))
      break;
    const double share = static_cast<double>(numbers() >> (64 - kFraction)) * 0x1p-53;
    const auto start = points.row(pick(chances, share));
    starts.values.insert(starts.values.end(), start.begin(), start.end());
    for (std::int64_t i = 0; i < points.count(); ++i) {
      squared[i] = std::min(squared[i], squared_distance(points.row(i), start));
      chances[i] = weight_of(problem, i) * squared[i];
    }
  }
  return starts;
}

/// Returns at most kMostTried points, evenly chosen.
KMeansProblem some_of(const KMeansProblem& problem) {
  const std::int64_t count = problem.points.count();
  KMeansProblem some{.points = evenly_chosen(problem.points, kMostTried),
                     .weights = {},
                     .clusters = problem.clusters};
  if (problem.weights.empty()) return some;
  const std::int64_t tried = some.points.count();
  for (std::int64_t i = 0; i < tried; ++i)
    some.weights.push_back(problem.weights[i * count / tried]);
  return some;
}

struct Tried {
  Clusters clusters;
  double spread;
};

/// Runs each start on its own thread, because there are too few points to distribute.
Tried best_of_further(const KMeansProblem& problem, std::int64_t further, Context& context) {
  std::vector<Tried> all(static_cast<std::size_t>(further));
  parallel_for(context, further, 1, [&](std::int64_t begin, std::int64_t end) {
    Context alone(Context::Settings{.stop = context.stop_token(), .threads = 1});
    for (std::int64_t i = begin; i < end; ++i) {
      Points starts = spread_starts(problem, static_cast<std::uint64_t>(i + 1), alone);
      all[i].clusters = k_means_from(std::move(starts), problem, alone);
      all[i].spread = spread_of(problem, all[i].clusters, alone);
    }
  });
  return std::move(*std::ranges::min_element(all, {}, &Tried::spread));
}

}  // namespace

Clusters repeated_k_means(const KMeansProblem& problem, std::int64_t further, Context& context) {
  Tried best{k_means(problem, context), 0.0};
  if (further == 0) return std::move(best.clusters);
  best.spread = spread_of(problem, best.clusters, context);
  const KMeansProblem some = some_of(problem);
  Tried other = best_of_further(some, further, context);
  if (some.points.count() < problem.points.count()) {
    other.clusters = k_means_from(std::move(other.clusters.centres), problem, context);
    other.spread = spread_of(problem, other.clusters, context);
  }
  return std::move((other.spread < best.spread ? other : best).clusters);
}

}  // namespace seedwave
