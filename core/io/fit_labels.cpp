// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/io/labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace seedwave::io {
namespace {

/// The index in one grid as a signed permutation of the index in another.
struct IndexMap {
  /// Index of voxel (0, 0, 0) in the other grid.
  Index3 start{0, 0, 0};
  /// For each own axis the parallel axis of the other grid, and its direction.
  std::array<int, 3> axis{0, 1, 2};
  std::array<std::int64_t, 3> sign{1, 1, 1};

  [[nodiscard]] Index3 operator()(const Index3& index) const noexcept {
    Index3 other = start;
    for (int own = 0; own < 3; ++own)
      other[axis[own]] += sign[own] * index[own];
    return other;
  }
  friend bool operator==(const IndexMap&, const IndexMap&) = default;
};

Vec3 as_real(const Index3& index) {
  return {static_cast<double>(index[0]), static_cast<double>(index[1]),
          static_cast<double>(index[2])};
}

Index3 corner_of(const Geometry& grid, int corner) {
  Index3 index{};
  for (int axis = 0; axis < 3; ++axis)
    index[axis] = (corner >> axis & 1) != 0 ? grid.size[axis] - 1 : 0;
  return index;
}

/// Returns for each axis of `grid` the axis of `labels` with the largest component in its
/// direction. Returns nothing if two of them share one.
std::optional<IndexMap> guess_axes(const Geometry& labels, const Geometry& grid) {
  IndexMap map;
  std::array<bool, 3> taken{};
  for (int own = 0; own < 3; ++own) {
    double largest = 0.0;
    for (int other = 0; other < 3; ++other) {
      double cosine = 0.0;
      for (int row = 0; row < 3; ++row)
        cosine += grid.direction[3 * row + own] * labels.direction[3 * row + other];
      if (std::abs(cosine) <= largest) continue;
      largest = std::abs(cosine);
      map.axis[own] = other;
      map.sign[own] = cosine < 0 ? -1 : 1;
    }
    if (taken[map.axis[own]]) return std::nullopt;
    taken[map.axis[own]] = true;
  }
  for (int own = 0; own < 3; ++own) {
    if (map.sign[own] < 0) map.start[map.axis[own]] = labels.size[map.axis[own]] - 1;
  }
  return map;
}

/// Returns whether the size alone decides: on an image without position, and for one on a 2-D
/// image.
bool size_decides(const Geometry& labels, const Geometry& grid) {
  return grid.unit == LengthUnit::Pixel || (labels.unit == LengthUnit::Pixel && grid.planar);
}

/// Returns how the voxels of `grid` lie in `labels` if all of them coincide and none is left over.
std::optional<IndexMap> coinciding(const Geometry& of_labels, const Geometry& of_grid) {
  const Geometry labels = in_millimetres(of_labels);
  const Geometry grid = in_millimetres(of_grid);
  if (size_decides(labels, grid)) {
    return labels.size == grid.size ? std::optional(IndexMap{}) : std::nullopt;
  }
  if (labels.unit != grid.unit) return std::nullopt;
  const auto map = guess_axes(labels, grid);
  if (!map) return std::nullopt;
  for (int own = 0; own < 3; ++own) {
    if (grid.size[own] != labels.size[map->axis[own]]) return std::nullopt;
  }
  // Both maps are affine: agreement at the corners implies agreement everywhere.
  for (int corner = 0; corner < 8; ++corner) {
    const Index3 index = corner_of(grid, corner);
    const Vec3 seen = labels.to_index(grid.to_world(index));
    const Vec3 expected = as_real((*map)(index));
    for (int axis = 0; axis < 3; ++axis) {
      if (!(std::abs(seen[axis] - expected[axis]) <= kSameGridTolerance)) return std::nullopt;
    }
  }
  return map;
}

char letter_of(const Geometry& geometry, int axis) {
  int largest = 0;
  for (int row = 1; row < 3; ++row) {
    if (std::abs(geometry.direction[3 * row + axis]) >
        std::abs(geometry.direction[3 * largest + axis])) {
      largest = row;
    }
  }
  return (geometry.direction[3 * largest + axis] < 0 ? "RAI" : "LPS")[largest];
}

}  // namespace

std::optional<LabelMap> fit_labels(const LabelMap& labels, const Geometry& grid) {
  const auto map = coinciding(labels.geometry(), grid);
  if (!map) return std::nullopt;
  const Geometry& own = labels.geometry();
  if (*map == IndexMap{}) return labels.on_grid(grid);
  const std::array<std::int64_t, 3> stride{1, own.size[0], own.size[0] * own.size[1]};
  const std::int64_t step = map->sign[0] * stride[map->axis[0]];
  return visit_labels(labels.labels(), [&]<typename T>(std::span<const T> from) {
    std::vector<T> fitted;
    fitted.reserve(from.size());
    for (std::int64_t z = 0; z < grid.size[2]; ++z) {
      for (std::int64_t y = 0; y < grid.size[1]; ++y) {
        std::int64_t offset = own.offset((*map)({0, y, z}));
        for (std::int64_t x = 0; x < grid.size[0]; ++x, offset += step)
          fitted.push_back(from[static_cast<std::size_t>(offset)]);
      }
    }
    return LabelMap(grid, std::move(fitted));
  });
}

Volume fit_picture(const Volume& volume, const Geometry& grid) {
  const Geometry& own = volume.geometry();
  if (same_grid(own, grid) || own.size != grid.size || !own.is_2d()) return volume;
  if (!size_decides(own, grid)) return volume;
  return volume.on_grid(grid);
}

LabelMap resample_labels_nearest(const LabelMap& labels, const Geometry& grid, Context& context) {
  const Geometry own = in_millimetres(labels.geometry());
  const Geometry placed = in_millimetres(grid);
  return visit_labels(labels.labels(), [&]<typename T>(std::span<const T> from) {
    std::vector<T> resampled(static_cast<std::size_t>(grid.voxel_count()));
    std::size_t at = 0;
    for (std::int64_t z = 0; z < grid.size[2]; ++z) {
      context.checkpoint(static_cast<double>(z) / static_cast<double>(grid.size[2]));
      for (std::int64_t y = 0; y < grid.size[1]; ++y) {
        for (std::int64_t x = 0; x < grid.size[0]; ++x, ++at) {
          const Index3 nearest = own.nearest_index(placed.to_world(Index3{x, y, z}));
          if (own.contains(nearest))
            resampled[at] = from[static_cast<std::size_t>(own.offset(nearest))];
        }
      }
    }
    return LabelMap(grid, std::move(resampled));
  });
}

LabelMap use_grid_of_image(const LabelMap& labels, const Geometry& grid) {
  if (labels.geometry().size != grid.size) {
    throw InputError("the labels differ in size from the image: labels " +
                     describe(labels.geometry()) + "; image " + describe(grid));
  }
  return labels.on_grid(grid);
}

std::string describe_placement(const Geometry& geometry) {
  if (geometry.unit == LengthUnit::Pixel) return describe(geometry) + " pixels without position";
  std::array<char, 128> text{};
  if (geometry.has_two_axes()) {
    const Matrix3& d = geometry.direction;
    std::snprintf(text.data(), text.size(),
                  ", first pixel at (%.2f, %.2f), axes along (%.3f, %.3f) and (%.3f, %.3f)",
                  geometry.origin[0], geometry.origin[1], d[0], d[3], d[1], d[4]);
    return describe(geometry) + text.data();
  }
  std::snprintf(text.data(), text.size(), ", first voxel at (%.2f, %.2f, %.2f), axes %c %c %c",
                geometry.origin[0], geometry.origin[1], geometry.origin[2], letter_of(geometry, 0),
                letter_of(geometry, 1), letter_of(geometry, 2));
  return describe(geometry) + text.data();
}

}  // namespace seedwave::io
