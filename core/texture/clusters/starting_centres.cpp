// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/texture/clusters/k_means.h"
#include "core/texture/clusters/ordered_sums.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace seedwave {
namespace {

/// Points that belong together, by their indices.
struct Part {
  std::vector<std::int64_t> members;
  std::vector<double> mean;
  /// Weighted sum of squared distances to the mean.
  double scatter = 0.0;
  /// Set if the members are not all the same point.
  bool splits = false;
};

struct Place {
  double along;
  double weight;
};

/// Returns the largest position of the lower side for the split that maximises the weight of one
/// side times that of the other times the squared distance of their means. Returns nothing if all
/// positions are equal.
std::optional<double> otsu_threshold(std::vector<Place> places) {
  std::ranges::stable_sort(places, {}, &Place::along);
  double weight = 0.0;
  double sum = 0.0;
  for (const Place& place : places) {
    weight += place.weight;
    sum += place.weight * place.along;
  }
  std::optional<double> threshold;
  double most = -1.0;
  double near_weight = 0.0;
  double near_sum = 0.0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    near_weight += places[i].weight;
    near_sum += places[i].weight * places[i].along;
    if (places[i].along == places[i + 1].along) continue;
    const double far_weight = weight - near_weight;
    const double apart = (sum - near_sum) / far_weight - near_sum / near_weight;
    const double between = near_weight * far_weight * apart * apart;
    if (between > most) {
      most = between;
      threshold = places[i].along;
    }
  }
  return threshold;
}

class PcaPart {
 public:
  PcaPart(const KMeansProblem& problem, Context& context) : problem_(problem), context_(context) {}

  [[nodiscard]] Part whole() {
    std::vector<std::int64_t> all(static_cast<std::size_t>(problem_.points.count()));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<std::int64_t>(i);
    return part_of(std::move(all));
  }

  [[nodiscard]] std::pair<Part, Part> split(const Part& part) {
    auto [near, far] = parted_along(part, principal_axis(part));
    // The points are so close together that all were rounded to one position on the axis.
    if (near.empty()) std::tie(near, far) = parted_at_the_end(part);
    return {part_of(std::move(near)), part_of(std::move(far))};
  }

 private:
  using Members = std::vector<std::int64_t>;

  [[nodiscard]] std::span<const double> point(const Part& part, std::int64_t member) const {
    return problem_.points.row(part.members[member]);
  }

  [[nodiscard]] Part part_of(Members members) {
    Part part{.members = std::move(members)};
    const std::span<const double> first = point(part, 0);
    part.splits = std::any_of(part.members.begin(), part.members.end(), [&](std::int64_t i) {
      return !std::ranges::equal(problem_.points.row(i), first);
    });
    part.mean = part.splits ? mean_of(part) : std::vector<double>(first.begin(), first.end());
    part.scatter = ordered_sums(std::ssize(part.members), 1, context_,
                                [&](std::int64_t member, std::span<double> sum) {
                                  sum[0] += weight_of(problem_, part.members[member]) *
                                            squared_distance(point(part, member), part.mean);
                                })
                       .front();
    return part;
  }

  [[nodiscard]] std::vector<double> mean_of(const Part& part) {
    const std::int64_t dimensions = problem_.points.dimensions;
    std::vector<double> mean = ordered_sums(std::ssize(part.members), dimensions + 1, context_,
                                            [&](std::int64_t member, std::span<double> sums) {
                                              const double weight =
                                                  weight_of(problem_, part.members[member]);
                                              for (std::int64_t j = 0; j < dimensions; ++j)
                                                sums[j] += weight * point(part, member)[j];
                                              sums[dimensions] += weight;
                                            });
    const double weight = mean.back();
    mean.pop_back();
    for (double& value : mean)
      value /= weight;
    return mean;
  }

  /// Returns a unit vector.
  [[nodiscard]] std::vector<double> principal_axis(const Part& part) {
    constexpr int kMostRounds = 32;
    constexpr double kSettled = 1e-12;  // squared length of the change in a round
    std::vector<double> axis = farthest_offset(part);
    scale_to_unit(axis);
    for (int round = 0; round < kMostRounds; ++round) {
      context_.checkpoint(0.0);
      std::vector<double> next = ordered_sums(std::ssize(part.members), std::ssize(axis), context_,
                                              [&](std::int64_t member, std::span<double> sums) {
                                                const std::span<const double> at =
                                                    point(part, member);
                                                double along = 0.0;
                                                for (std::size_t j = 0; j < axis.size(); ++j)
                                                  along += (at[j] - part.mean[j]) * axis[j];
                                                along *= weight_of(problem_, part.members[member]);
                                                for (std::size_t j = 0; j < axis.size(); ++j)
                                                  sums[j] += along * (at[j] - part.mean[j]);
                                              });
      if (!scale_to_unit(next)) break;
      const double changed = squared_distance(next, axis);
      axis = std::move(next);
      if (changed < kSettled) break;
    }
    return axis;
  }

  [[nodiscard]] std::vector<double> farthest_offset(const Part& part) const {
    std::int64_t farthest = 0;
    double most = -1.0;
    for (std::int64_t member = 0; member < std::ssize(part.members); ++member) {
      const double distance = squared_distance(point(part, member), part.mean);
      if (distance > most) {
        most = distance;
        farthest = member;
      }
    }
    std::vector<double> offset(part.mean.size());
    for (std::size_t j = 0; j < offset.size(); ++j)
      offset[j] = point(part, farthest)[j] - part.mean[j];
    return offset;
  }

  /// Returns false, and does nothing, if the vector is too short.
  static bool scale_to_unit(std::vector<double>& vector) {
    const double length = std::sqrt(dot(vector, vector));
    if (!(length > 0.0)) return false;
    for (double& value : vector)
      value /= length;
    return true;
  }

  /// Splits by position on the axis. Both sides are empty if all positions are equal.
  [[nodiscard]] std::pair<Members, Members> parted_along(const Part& part,
                                                         const std::vector<double>& axis) const {
    std::vector<Place> places;
    for (const std::int64_t member : part.members) {
      double along = 0.0;
      for (std::size_t j = 0; j < axis.size(); ++j)
        along += (problem_.points.row(member)[j] - part.mean[j]) * axis[j];
      places.push_back({along, weight_of(problem_, member)});
    }
    std::pair<Members, Members> parts;
    const std::optional<double> threshold = otsu_threshold(places);
    if (!threshold) return parts;
    for (std::size_t i = 0; i < places.size(); ++i)
      (places[i].along > *threshold ? parts.second : parts.first).push_back(part.members[i]);
    return parts;
  }

  /// Separates the members with the largest value of the coordinate with the widest range from the
  /// others.
  [[nodiscard]] std::pair<Members, Members> parted_at_the_end(const Part& part) const {
    std::size_t widest = 0;
    double range = -1.0;
    double end = 0.0;
    for (std::size_t j = 0; j < part.mean.size(); ++j) {
      double low = point(part, 0)[j];
      double high = low;
      for (const std::int64_t member : part.members) {
        low = std::min(low, problem_.points.row(member)[j]);
        high = std::max(high, problem_.points.row(member)[j]);
      }
      if (high - low > range) {
        range = high - low;
        end = high;
        widest = j;
      }
    }
    std::pair<Members, Members> parts;
    for (const std::int64_t member : part.members) {
      const bool at_the_end = problem_.points.row(member)[widest] == end;
      (at_the_end ? parts.second : parts.first).push_back(member);
    }
    return parts;
  }

  const KMeansProblem& problem_;
  Context& context_;
};

/// Returns the part to split next: the one of largest scatter that can be split, or null.
Part* widest_of(std::vector<Part>& parts) {
  Part* widest = nullptr;
  for (Part& part : parts) {
    if (part.splits && (widest == nullptr || part.scatter > widest->scatter)) widest = &part;
  }
  return widest;
}

}  // namespace

Points starting_centres(const KMeansProblem& problem, Context& context) {
  require(problem.points.count() > 0 && problem.clusters > 0);
  require(problem.weights.empty() || std::ssize(problem.weights) == problem.points.count());
  PcaPart pca_part(problem, context);
  std::vector<Part> parts{pca_part.whole()};
  while (std::ssize(parts) < problem.clusters) {
    Part* const widest = widest_of(parts);
    if (widest == nullptr) break;
    auto [near, far] = pca_part.split(*widest);
    *widest = std::move(near);
    parts.push_back(std::move(far));
  }
  Points centres{.dimensions = problem.points.dimensions, .values = {}};
  for (const Part& part : parts)
    centres.values.insert(centres.values.end(), part.mean.begin(), part.mean.end());
  return centres;
}

}  // namespace seedwave
