// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "ui/views/slice_state.h"

#include <QString>

#include <array>

namespace seedwave::ui {

/// The orientation of a plane of the grid on the screen: the grid axes to the right and down, and
/// the axis along which slices are counted.
///
/// Slice coordinates (u, v) count to screen right and down from the corner voxel at the top left.
/// The slice number k is the index of the grid, never flipped, so that it agrees with the readout.
class PlaneAxes {
 public:
  PlaneAxes() = default;
  /// Assigns the axes of the grid to those of the patient so that the sum of the cosines is
  /// largest. Images without orientation are shown as stored; 2-D images always show their own
  /// plane.
  PlaneAxes(const Geometry& geometry, PlaneKind plane, Convention convention,
            bool in_patient = true);

  /// Returns the same plane of another grid whose axes point the same way: a reduced level of the
  /// image.
  [[nodiscard]] PlaneAxes on(const Geometry& geometry) const {
    PlaneAxes axes = *this;
    axes.geometry_ = geometry;
    return axes;
  }

  /// Returns the same plane as it is seen after a turn.
  [[nodiscard]] PlaneAxes turned(const Turn& turn) const;

  [[nodiscard]] const Geometry& geometry() const noexcept { return geometry_; }
  /// Returns the displayed plane. A 2-D image always has its own.
  [[nodiscard]] PlaneKind plane() const noexcept { return plane_; }
  [[nodiscard]] int right_axis() const noexcept { return right_; }
  [[nodiscard]] int down_axis() const noexcept { return down_; }
  [[nodiscard]] int slice_axis() const noexcept { return normal_; }
  [[nodiscard]] std::int64_t width() const noexcept { return geometry_.size[right_]; }
  [[nodiscard]] std::int64_t height() const noexcept { return geometry_.size[down_]; }
  [[nodiscard]] std::int64_t slice_count() const noexcept { return geometry_.size[normal_]; }
  [[nodiscard]] double right_spacing() const noexcept { return geometry_.spacing[right_]; }
  [[nodiscard]] double down_spacing() const noexcept { return geometry_.spacing[down_]; }
  [[nodiscard]] double slice_spacing() const noexcept { return geometry_.spacing[normal_]; }
  /// Returns the unit normal of the plane in world coordinates.
  [[nodiscard]] Vec3 normal() const noexcept { return direction(normal_, false); }

  [[nodiscard]] Index3 index_at(std::int64_t u, std::int64_t v, std::int64_t k) const noexcept;
  [[nodiscard]] Vec3 world_at(double u, double v, double k) const noexcept;
  /// Returns (u, v, k) of a world point, continuous.
  [[nodiscard]] Vec3 slice_coordinates(const Vec3& world) const noexcept;
  /// Returns the slice that holds a world point, clamped to the grid.
  [[nodiscard]] std::int64_t slice_of(const Vec3& world) const noexcept;

  /// Returns the offset of voxel (0, 0, k); the strides are the signed steps in memory to (u + 1,
  /// v) and (u, v + 1).
  [[nodiscard]] std::int64_t start(std::int64_t k) const noexcept;
  [[nodiscard]] std::int64_t right_stride() const noexcept;
  [[nodiscard]] std::int64_t down_stride() const noexcept;

  /// Returns false for images without a position in the patient: they have no sides.
  [[nodiscard]] bool has_sides() const noexcept { return has_sides_; }
  struct Sides {
    QString left, right, top, bottom;
  };
  /// Returns the patient's sides at the four edges, compound if the plane is oblique: "R", "AL".
  [[nodiscard]] Sides sides(HeadFootLetters letters) const;

 private:
  [[nodiscard]] Vec3 direction(int axis, bool flipped) const noexcept;

  Geometry geometry_;
  PlaneKind plane_ = PlaneKind::Axial;
  int right_ = 0;
  int down_ = 1;
  int normal_ = 2;
  bool flip_right_ = false;
  bool flip_down_ = false;
  bool has_sides_ = false;
};

/// Returns the patient's side that a direction (LPS) points to, its largest component first.
/// Components below cos 0.1 are left out: {-0.7, 0, 0.7} gives "SR" or "RS", {0.99, 0.05, 0} gives
/// "L".
[[nodiscard]] QString side_letters(const Vec3& direction, HeadFootLetters letters);

/// Returns the nearest patient axis for each grid axis (0 left, 1 posterior, 2 superior), each used
/// once.
[[nodiscard]] std::array<int, 3> nearest_patient_axes(const Geometry& geometry);

}  // namespace seedwave::ui
