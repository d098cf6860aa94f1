// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave {

/// Points, or vectors, of a few to a few thousand dimensions, or the rows of a matrix. All numbers
/// are finite, and so small that fourth powers of distances are finite too.
struct Points {
  std::int64_t dimensions = 0;
  /// Row-major: point i is at values[i * dimensions].
  std::vector<double> values;

  /// Returns `count` points of zeros.
  [[nodiscard]] static Points zeros(std::int64_t count, std::int64_t dimensions) {
    return {dimensions, std::vector<double>(static_cast<std::size_t>(count * dimensions))};
  }
  [[nodiscard]] std::int64_t count() const noexcept {
    return dimensions == 0 ? 0 : std::ssize(values) / dimensions;
  }
  [[nodiscard]] std::span<const double> row(std::int64_t i) const noexcept {
    return std::span(values).subspan(static_cast<std::size_t>(i * dimensions),
                                     static_cast<std::size_t>(dimensions));
  }
  [[nodiscard]] std::span<double> row(std::int64_t i) noexcept {
    return std::span(values).subspan(static_cast<std::size_t>(i * dimensions),
                                     static_cast<std::size_t>(dimensions));
  }
};

/// Returns the dot product, summed in the order of dimensions, as everything here.
[[nodiscard]] inline double dot(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}
[[nodiscard]] inline double squared_distance(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// The row nearest to a point, the first if several are equally near.
struct Nearest {
  std::int32_t row = 0;
  double squared_distance = 0.0;
};
/// Finds the nearest row. `Dimensions` is that of both, if it is known at compile time.
template <std::size_t Dimensions>
[[nodiscard]] Nearest nearest(std::span<const double, Dimensions> point, const Points& rows) {
  using Coordinates = std::span<const double, Dimensions>;
  Nearest best{0, squared_distance(point, Coordinates(rows.row(0)))};
  for (std::int32_t row = 1; row < rows.count(); ++row) {
    const double distance = squared_distance(point, Coordinates(rows.row(row)));
    if (distance < best.squared_distance) best = {row, distance};
  }
  return best;
}

/// Returns axes (x - origin) for each x of `points`, with one coordinate per row of axes.
[[nodiscard]] Points mapped(const Points& points, std::span<const double> origin,
                            const Points& axes, Context& context);

/// Returns at most `most` of the points, evenly spaced in their order.
[[nodiscard]] Points evenly_chosen(const Points& points, std::int64_t most);

/// Returns the matrix product a b of the rows: one map after the other.
[[nodiscard]] Points product(const Points& a, const Points& b);

}  // namespace seedwave
