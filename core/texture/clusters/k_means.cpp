// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/k_means.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"
#include "core/texture/clusters/ordered_sums.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

namespace seedwave {
namespace {

/// One run of Lloyd's rounds.
class Lloyd {
 public:
  Lloyd(Points starts, const KMeansProblem& problem, Context& context)
      : problem_(problem), context_(context), distances_(count()) {
    clusters_.centres = std::move(starts);
    clusters_.of_point.assign(count(), -1);
  }

  [[nodiscard]] Clusters run() {
    while (give_points_to_the_nearest()) {
      if (clusters_.rounds == kMostLloydRounds) return std::move(clusters_);
      context_.checkpoint(static_cast<double>(clusters_.rounds) / kMostLloydRounds);
      start_empty_ones_again();
      move_to_the_means();
      ++clusters_.rounds;
    }
    clusters_.settled = true;
    return std::move(clusters_);
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(problem_.points.count());
  }

  /// Assigns each point to the nearest centre. Returns whether any assignment changed.
  bool give_points_to_the_nearest() {
    switch (problem_.points.dimensions) {  // unrolled for the most frequent numbers
      case 1:
        return give_points<1>();
      case 2:
        return give_points<2>();
      case 3:
        return give_points<3>();
      default:
        return give_points<std::dynamic_extent>();
    }
  }

  template <std::size_t Dimensions>
  bool give_points() {
    constexpr std::int64_t kGrain = 256;
    std::atomic<bool> changed = false;
    parallel_for(context_, problem_.points.count(), kGrain,
                 [&](std::int64_t begin, std::int64_t end) {
                   bool changed_here = false;
                   for (std::int64_t i = begin; i < end; ++i)
                     changed_here |= give_to_the_nearest<Dimensions>(i);
                   if (changed_here) changed = true;
                 });
    return changed;
  }

  template <std::size_t Dimensions>
  bool give_to_the_nearest(std::int64_t i) {
    const std::span<const double, Dimensions> point(problem_.points.row(i));
    const Nearest found = nearest(point, clusters_.centres);
    distances_[i] = found.squared_distance;
    return std::exchange(clusters_.of_point[i], found.row) != found.row;
  }

  void start_empty_ones_again() {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(clusters_.centres.count()));
    for (const std::int32_t cluster : clusters_.of_point)
      ++sizes[cluster];
    for (std::int32_t empty = 0; empty < clusters_.centres.count(); ++empty) {
      if (sizes[empty] > 0) continue;
      std::int64_t farthest = -1;
      double most = 0.0;
      for (std::int64_t i = 0; i < problem_.points.count(); ++i) {
        const double share = weight_of(problem_, i) * distances_[i];
        if (share > most && sizes[clusters_.of_point[i]] > 1) {
          most = share;
          farthest = i;
        }
      }
      if (farthest < 0) return;  // all points lie on their centres
      --sizes[std::exchange(clusters_.of_point[farthest], empty)];
      ++sizes[empty];
      distances_[farthest] = 0.0;
    }
  }

  void move_to_the_means() {
    Points& centres = clusters_.centres;
    const std::int64_t length = centres.dimensions + 1;  // one more for the weight
    const std::vector<double> sums = ordered_sums(
        problem_.points.count(), centres.count() * length, context_,
        [&](std::int64_t i, std::span<double> into) {
          const std::span<const double> point = problem_.points.row(i);
          const double weight = weight_of(problem_, i);
          double* const sum = &into[static_cast<std::size_t>(clusters_.of_point[i] * length)];
          for (std::size_t j = 0; j < point.size(); ++j)
            sum[j] += weight * point[j];
          sum[point.size()] += weight;
        });
    for (std::int64_t c = 0; c < centres.count(); ++c) {
      const double* const sum = &sums[static_cast<std::size_t>(c * length)];
      const double weight = sum[centres.dimensions];
      if (weight == 0.0) continue;
      for (std::int64_t j = 0; j < centres.dimensions; ++j)
        centres.row(c)[j] = sum[j] / weight;
    }
  }

  const KMeansProblem& problem_;
  Context& context_;
  Clusters clusters_;
  std::vector<double> distances_;  // squared, from each point to its centre
};

}  // namespace

Clusters k_means_from(Points starts, const KMeansProblem& problem, Context& context) {
  require(problem.points.count() > 0 && starts.count() > 0);
  require(starts.dimensions == problem.points.dimensions);
  return Lloyd(std::move(starts), problem, context).run();
}

Clusters k_means(const KMeansProblem& problem, Context& context) {
  return k_means_from(starting_centres(problem, context), problem, context);
}

}  // namespace seedwave
