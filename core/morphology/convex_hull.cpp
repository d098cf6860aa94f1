// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace seedwave {
namespace {

/// Twice the signed area of the triangle a, b, c.
std::int64_t doubled_triangle(const Corner& a, const Corner& b, const Corner& c) noexcept {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool lies_before(const Corner& a, const Corner& b) noexcept {
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

/// Adds a point to a chain whose turns all go one way; the first `kept` points stay.
void extend_chain(std::vector<Corner>& chain, std::size_t kept, const Corner& point) {
  while (chain.size() > kept && doubled_triangle(chain[chain.size() - 2], chain.back(), point) <= 0)
    chain.pop_back();
  chain.push_back(point);
}

}  // namespace

void reduce_to_hull(std::vector<Corner>& points, std::vector<Corner>& work) {
  if (!std::ranges::is_sorted(points, lies_before)) std::ranges::sort(points, lies_before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return;
  work.clear();
  for (const Corner& point : points)
    extend_chain(work, 1, point);
  const std::size_t turned = work.size();
  for (std::size_t i = points.size() - 1; i-- > 0;)
    extend_chain(work, turned, points[i]);
  work.pop_back();  // the first again
  std::swap(points, work);
}

std::int64_t doubled_area(std::span<const Corner> hull) noexcept {
  std::int64_t area = 0;
  for (std::size_t i = 2; i < hull.size(); ++i)
    area += doubled_triangle(hull[0], hull[i - 1], hull[i]);
  return area;
}

HullDiameters hull_diameters(std::span<const Corner> hull, double width, double height) {
  const auto distance = [&](const Corner& a, const Corner& b) {
    const double x = static_cast<double>(a.x - b.x) * width;
    const double y = static_cast<double>(a.y - b.y) * height;
    return std::sqrt(x * x + y * y);
  };
  HullDiameters result{.maximum = 0.0, .minimum = std::numeric_limits<double>::infinity()};
  const std::size_t count = hull.size();
  std::size_t opposite = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const Corner& from = hull[i];
    const Corner& to = hull[(i + 1) % count];
    // Stretching the pixels changes all triangles alike, so integers find the opposite vertex.
    const auto height_of = [&](std::size_t at) {
      return doubled_triangle(from, to, hull[at % count]);
    };
    while (height_of(opposite + 1) > height_of(opposite))
      ++opposite;
    const Corner& far = hull[opposite % count];
    const double across = static_cast<double>(height_of(opposite)) * width * height;
    result.minimum = std::min(result.minimum, across / distance(from, to));
    result.maximum = std::max({result.maximum, distance(from, far), distance(to, far)});
    if (height_of(opposite + 1) == height_of(opposite)) {
      const Corner& next = hull[(opposite + 1) % count];
      result.maximum = std::max({result.maximum, distance(from, next), distance(to, next)});
    }
  }
  return result;
}

}  // namespace seedwave
