// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/points.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"

#include <algorithm>

namespace seedwave {

Points mapped(const Points& points, std::span<const double> origin, const Points& axes,
              Context& context) {
  Points result = Points::zeros(points.count(), axes.count());
  parallel_for(context, points.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> offset(origin.size());
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> point = points.row(i);
      for (std::size_t j = 0; j < offset.size(); ++j)
        offset[j] = point[j] - origin[j];
      for (std::int64_t axis = 0; axis < axes.count(); ++axis)
        result.row(i)[axis] = dot(axes.row(axis), offset);
    }
  });
  return result;
}

Points evenly_chosen(const Points& points, std::int64_t most) {
  const std::int64_t count = points.count();
  const std::int64_t chosen = std::min(count, most);
  Points result = Points::zeros(chosen, points.dimensions);
  for (std::int64_t i = 0; i < chosen; ++i)
    std::ranges::copy(points.row(i * count / chosen), result.row(i).begin());
  return result;
}

Points product(const Points& a, const Points& b) {
  require(a.dimensions == b.count());
  Points result = Points::zeros(a.count(), b.dimensions);
  for (std::int64_t i = 0; i < a.count(); ++i) {
    for (std::int64_t k = 0; k < b.count(); ++k) {
      for (std::int64_t j = 0; j < b.dimensions; ++j)
        result.row(i)[j] += a.row(i)[k] * b.row(k)[j];
    }
  }
  return result;
}

}  // namespace seedwave
