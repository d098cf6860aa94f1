// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace seedwave {

/// A point or vector: (x, y, z). World points are LPS millimetres, or in the unit of their grid.
using Vec3 = std::array<double, 3>;
/// A voxel index: (column, row, slice).
using Index3 = std::array<std::int64_t, 3>;
/// A row-major 3x3 matrix.
using Matrix3 = std::array<double, 9>;

/// The unit of spacing and world coordinates.
enum class LengthUnit {
  Millimetre,
  /// A slide, from its top left corner.
  Micrometre,
  /// An image without position or scale: one pixel is one unit.
  Pixel,
};

/// The placement of a grid's voxels: size, spacing, origin and axes, in LPS millimetres or in
/// `unit`.
///
/// world = origin + direction * (index * spacing), with indices at voxel centres. The columns of
/// `direction` are the unit axes of column, row and slice index. A 2-D image has size[2] == 1.
/// This is the only place that converts between index and world.
struct Geometry {
  Index3 size{0, 0, 0};
  Vec3 spacing{1.0, 1.0, 1.0};
  Vec3 origin{0.0, 0.0, 0.0};
  Matrix3 direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  LengthUnit unit = LengthUnit::Millimetre;
  /// Set for a 2-D image with a scale of its own: size[2] is 1, and its files have two axes. A
  /// volume of one slice is not planar.
  bool planar = false;

  [[nodiscard]] std::int64_t voxel_count() const noexcept { return size[0] * size[1] * size[2]; }
  [[nodiscard]] bool is_2d() const noexcept { return size[2] == 1; }
  /// Returns whether two axes describe this 2-D image: an image without scale, or a planar grid
  /// whose third axis is the unit along z at 0. Its files have two axes.
  [[nodiscard]] bool has_two_axes() const noexcept;

  /// Returns the offset of a voxel in memory, x fastest. `index` must be inside.
  [[nodiscard]] std::int64_t offset(const Index3& index) const noexcept {
    return index[0] + size[0] * (index[1] + size[1] * index[2]);
  }
  [[nodiscard]] Index3 index_of(std::int64_t offset) const noexcept {
    return {offset % size[0], offset / size[0] % size[1], offset / (size[0] * size[1])};
  }
  [[nodiscard]] bool contains(const Index3& index) const noexcept;

  [[nodiscard]] Vec3 to_world(const Vec3& index) const noexcept;
  [[nodiscard]] Vec3 to_world(const Index3& index) const noexcept;
  /// Returns the middle of the grid in world coordinates.
  [[nodiscard]] Vec3 centre() const noexcept;
  /// Returns the continuous index of a world point; the inverse of to_world.
  [[nodiscard]] Vec3 to_index(const Vec3& world) const noexcept;
  /// Returns the voxel whose centre is nearest to a world point. It may lie outside (see contains).
  [[nodiscard]] Index3 nearest_index(const Vec3& world) const noexcept;

  /// Returns the volume of one voxel in mm^3, with the slice thickness for a 2-D image.
  [[nodiscard]] double voxel_volume() const noexcept;

  /// Throws InputError that names `what` if sizes are not positive or overflow, spacing is not
  /// positive and finite, or the direction is not orthonormal within 1e-3.
  void validate(const std::string& what) const;
};

/// Tolerance within which grids are the same, as a share of a voxel at any corner.
inline constexpr double kSameGridTolerance = 1e-2;

/// Returns whether both grids have the same size and their corner voxels coincide within
/// kSameGridTolerance of a voxel.
[[nodiscard]] bool same_grid(const Geometry& a, const Geometry& b) noexcept;

/// Returns the same grid in millimetres, the unit of most files; one in pixels as it is.
[[nodiscard]] Geometry in_millimetres(const Geometry& geometry) noexcept;

/// Returns "256 x 328 x 258, 0.700 x 0.667 x 0.667 mm", "256 x 328, 0.700 x 0.667 mm" for a planar
/// grid, "256 x 328, 0.499 x 0.499 µm" for one under the microscope, or "256 x 328" for an image
/// without scale. For messages and lists.
[[nodiscard]] std::string describe(const Geometry& geometry);

/// A half-open box of voxels: lo <= index < hi. It is empty if any hi <= lo.
struct Box {
  Index3 lo{0, 0, 0};
  Index3 hi{0, 0, 0};

  [[nodiscard]] bool empty() const noexcept {
    return hi[0] <= lo[0] || hi[1] <= lo[1] || hi[2] <= lo[2];
  }
  [[nodiscard]] static Box whole(const Geometry& geometry) noexcept {
    return {{0, 0, 0}, geometry.size};
  }
  /// Returns the box enlarged by `margin` voxels on every side, clipped to the grid.
  [[nodiscard]] Box grown(std::int64_t margin, const Geometry& geometry) const noexcept;
  /// Extends the box to include `index`.
  void include(const Index3& index) noexcept;
  friend bool operator==(const Box&, const Box&) = default;
};

}  // namespace seedwave
