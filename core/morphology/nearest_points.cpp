// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/nearest_points.h"

#include "core/image/vec3.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace seedwave {
namespace {

struct TreePoint {
  Vec3 at{};
  std::uint32_t index = 0;
};

/// A k-d tree in an array: the middle of a range divides the others along the range's longest axis.
class PointTree {
 public:
  PointTree(std::span<const Vec3> points, Context& context) : nodes_(points.size()) {
    for (std::size_t i = 0; i < points.size(); ++i)
      nodes_[i] = {.at = points[i], .index = static_cast<std::uint32_t>(i)};
    axes_.resize(points.size());
    divide(0, nodes_.size(), context);
  }

  /// Returns the node at a place in the tree's order, in which neighbours are near each other.
  [[nodiscard]] const TreePoint& node(std::size_t place) const { return nodes_[place]; }

  /// Returns the squared distance of a node's point to the nearest other point.
  [[nodiscard]] double nearest_to(std::size_t place) const {
    double best = std::numeric_limits<double>::infinity();
    search(0, nodes_.size(), nodes_[place], best);
    return best;
  }

 private:
  static constexpr std::size_t kLeaf = 8;  // points that are looked at one by one

  void divide(std::size_t begin, std::size_t end, Context& context) {
    if (end - begin <= kLeaf) return;
    if (end - begin > kCellsPerCheck) context.checkpoint(0.0);
    const std::size_t axis = longest_axis(begin, end);
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = nodes_.begin();
    std::nth_element(
        first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(middle),
        first + static_cast<std::ptrdiff_t>(end), [axis](const TreePoint& a, const TreePoint& b) {
          return a.at[axis] != b.at[axis] ? a.at[axis] < b.at[axis] : a.index < b.index;
        });
    axes_[middle] = static_cast<std::uint8_t>(axis);
    divide(begin, middle, context);
    divide(middle + 1, end, context);
  }

  [[nodiscard]] std::size_t longest_axis(std::size_t begin, std::size_t end) const {
    Vec3 low = nodes_[begin].at;
    Vec3 high = low;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], nodes_[i].at[axis]);
        high[axis] = std::max(high[axis], nodes_[i].at[axis]);
      }
    }
    const Vec3 extent = minus(high, low);
    return static_cast<std::size_t>(std::ranges::max_element(extent) - extent.begin());
  }

  void search(std::size_t begin, std::size_t end, const TreePoint& from, double& best) const {
    if (end - begin <= kLeaf) {
      for (std::size_t i = begin; i < end; ++i)
        look_at(nodes_[i], from, best);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const double across = from.at[axes_[middle]] - nodes_[middle].at[axes_[middle]];
    look_at(nodes_[middle], from, best);
    const bool is_before = across < 0.0;
    search(is_before ? begin : middle + 1, is_before ? middle : end, from, best);
    if (across * across < best)
      search(is_before ? middle + 1 : begin, is_before ? end : middle, from, best);
  }

  static void look_at(const TreePoint& point, const TreePoint& from, double& best) {
    if (point.index == from.index) return;
    const Vec3 step = minus(point.at, from.at);
    best = std::min(best, dot(step, step));
  }

  std::vector<TreePoint> nodes_;
  std::vector<std::uint8_t> axes_;  // by the middle of a range
};

}  // namespace

std::vector<double> distances_to_nearest(std::span<const Vec3> points, Context& context) {
  std::vector<double> distances(points.size(), std::numeric_limits<double>::quiet_NaN());
  if (points.size() < 2) return distances;
  const PointTree tree(points, context);
  constexpr std::int64_t kPointsAtOnce = 1024;
  parallel_for(context, std::ssize(points), kPointsAtOnce,
               [&](std::int64_t begin, std::int64_t end) {
                 for (auto place = static_cast<std::size_t>(begin);
                      place < static_cast<std::size_t>(end); ++place)
                   distances[tree.node(place).index] = std::sqrt(tree.nearest_to(place));
               });
  return distances;
}

}  // namespace seedwave
