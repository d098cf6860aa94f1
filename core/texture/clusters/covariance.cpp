// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/covariance.h"

#include "core/parallel/parallel_for.h"
#include "core/texture/clusters/ordered_sums.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace seedwave {
namespace {

/// A side of the squares of entries that a thread adds up at once: they stay in the first cache.
constexpr std::int64_t kTile = 32;

/// Adds up the entries of a tile of the matrix, first row and column given.
void add_up_tile(const Points& offsets, std::int64_t row, std::int64_t column, Context& context,
                 Points& matrix) {
  constexpr std::int64_t kPointsPerLook = 4096;
  const std::int64_t rows = std::min(kTile, offsets.dimensions - row);
  const std::int64_t columns = std::min(kTile, offsets.dimensions - column);
  std::array<std::array<double, kTile>, kTile> sums{};
  for (std::int64_t i = 0; i < offsets.count(); ++i) {
    if (i % kPointsPerLook == 0) context.checkpoint(0.0);
    const double* const y = offsets.row(i).data();
    for (std::int64_t a = 0; a < rows; ++a) {
      for (std::int64_t b = 0; b < columns; ++b)
        sums[a][b] += y[row + a] * y[column + b];
    }
  }
  const auto count = static_cast<double>(offsets.count());
  for (std::int64_t a = 0; a < rows; ++a) {
    for (std::int64_t b = 0; b < columns; ++b) {
      const double mean = sums[a][b] / count;
      matrix.row(row + a)[column + b] = mean;
      matrix.row(column + b)[row + a] = mean;
    }
  }
}

}  // namespace

Points means_of_groups(const Points& points, std::span<const std::int32_t> group_of,
                       std::int64_t groups, Context& context) {
  assert(std::ssize(group_of) == points.count());
  const std::int64_t length = points.dimensions + 1;  // and the number of points
  const std::vector<double> sums = ordered_sums(
      points.count(), groups * length, context, [&](std::int64_t i, std::span<double> into) {
        const std::span<const double> point = points.row(i);
        double* const sum = &into[static_cast<std::size_t>(group_of[i] * length)];
        for (std::size_t j = 0; j < point.size(); ++j)
          sum[j] += point[j];
        sum[point.size()] += 1.0;
      });
  Points means = Points::zeros(groups, points.dimensions);
  for (std::int64_t group = 0; group < groups; ++group) {
    const double* const sum = &sums[static_cast<std::size_t>(group * length)];
    const double count = std::max(1.0, sum[points.dimensions]);
    for (std::int64_t j = 0; j < points.dimensions; ++j)
      means.row(group)[j] = sum[j] / count;
  }
  return means;
}

Points offsets(const Points& points, std::span<const std::int32_t> group_of, const Points& means,
               Context& context) {
  Points result = Points::zeros(points.count(), points.dimensions);
  parallel_for(context, points.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> mean = means.row(group_of[i]);
      for (std::int64_t j = 0; j < points.dimensions; ++j)
        result.row(i)[j] = points.row(i)[j] - mean[j];
    }
  });
  return result;
}

Points mean_product(const Points& offsets, Context& context) {
  Points matrix = Points::zeros(offsets.dimensions, offsets.dimensions);
  std::vector<std::pair<std::int64_t, std::int64_t>> tiles;
  for (std::int64_t row = 0; row < offsets.dimensions; row += kTile) {
    for (std::int64_t column = row; column < offsets.dimensions; column += kTile)
      tiles.emplace_back(row, column);
  }
  parallel_for(context, std::ssize(tiles), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin; tile < end; ++tile)
      add_up_tile(offsets, tiles[tile].first, tiles[tile].second, context, matrix);
  });
  return matrix;
}

}  // namespace seedwave
