// SPDX-License-Identifier: Apache-2.0
#include "core/texture/clusters/covariance.h"

#include "core/base/error.h"
#include "core/parallel/parallel_for.h"
#include "core/texture/clusters/ordered_sums.h"
#include "core/texture/clusters/product_kernel.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

using texture::kProductTile;

/// A square of entries of the matrix.
struct Tile {
  std::int64_t row;
  std::int64_t column;
  std::array<double, kProductTile * kProductTile> sums{};
};

/// Largest number of tiles per thread: their sums stay in the level-2 cache.
constexpr std::int64_t kMostTiles = 16;
/// Number of points that also stay there while all these tiles use them.
constexpr std::int64_t kPointsTogether = 32;

std::int64_t entries_from(const Points& offsets, std::int64_t first) {
  return std::min(kProductTile, offsets.dimensions - first);
}

/// Adds up some tiles.
void add_up(const Points& offsets, std::span<Tile> tiles, Context& context) {
  const texture::ProductKernel& kernel = texture::best_product_kernel();
  // Whole tiles of coordinates, padded with zeros.
  const std::int64_t stride = (offsets.dimensions + kProductTile - 1) / kProductTile * kProductTile;
  std::vector<double> points(static_cast<std::size_t>(kPointsTogether * stride));
  for (std::int64_t begin = 0; begin < offsets.count(); begin += kPointsTogether) {
    context.checkpoint(0.0);
    const std::int64_t count = std::min(kPointsTogether, offsets.count() - begin);
    for (std::int64_t i = 0; i < count; ++i)
      std::ranges::copy(offsets.row(begin + i), points.begin() + i * stride);
    for (Tile& tile : tiles)
      kernel.add(points.data() + tile.row, points.data() + tile.column, stride, count,
                 entries_from(offsets, tile.row), entries_from(offsets, tile.column),
                 tile.sums.data());
  }
}

/// Writes the means of a tile on both sides of the diagonal.
void put(const Tile& tile, double count, Points& matrix) {
  for (std::int64_t a = 0; a < entries_from(matrix, tile.row); ++a) {
    for (std::int64_t b = 0; b < entries_from(matrix, tile.column); ++b) {
      const double mean = tile.sums[a * kProductTile + b] / count;
      matrix.row(tile.row + a)[tile.column + b] = mean;
      matrix.row(tile.column + b)[tile.row + a] = mean;
    }
  }
}

}  // namespace

Points means_of_groups(const Points& points, std::span<const std::int32_t> group_of,
                       std::int64_t groups, Context& context) {
  require(std::ssize(group_of) == points.count());
  const std::int64_t length = points.dimensions + 1;  // one more for the number of points
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
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  for (std::int64_t row = 0; row < offsets.dimensions; row += kProductTile) {
    for (std::int64_t column = row; column < offsets.dimensions; column += kProductTile)
      places.emplace_back(row, column);
  }
  const std::int64_t all = std::ssize(places);
  const std::int64_t share = (all + context.threads() - 1) / context.threads();
  const std::int64_t together = std::min(share, kMostTiles);
  const std::int64_t groups = (all + together - 1) / together;
  parallel_for(context, groups, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t group = begin; group < end; ++group) {
      std::vector<Tile> tiles;
      for (std::int64_t i = group * together; i < std::min(all, (group + 1) * together); ++i)
        tiles.push_back({.row = places[i].first, .column = places[i].second});
      add_up(offsets, tiles, context);
      for (const Tile& tile : tiles)
        put(tile, static_cast<double>(offsets.count()), matrix);
    }
  });
  return matrix;
}

}  // namespace seedwave
