// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/ops/operation.h"

#include <QString>
#include <QStringList>

namespace seedwave::ui {

/// A line on a grid, in voxels: integers are voxel centres.
struct GridLine {
  Vec3 from{0, 0, 0};
  Vec3 to{0, 0, 0};

  [[nodiscard]] Vec3 middle() const noexcept;
  /// Returns the vector from start to end.
  [[nodiscard]] Vec3 extent() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return from == to; }
  friend bool operator==(const GridLine&, const GridLine&) = default;
};

/// Converts a drawn line to values of an operation and back, using only the operation table. The
/// operation must outlive this.
class LineParameters {
 public:
  LineParameters() = default;
  LineParameters(const Operation& operation, const Geometry& grid);

  /// Returns false if the operation has no parameter for a line on such a grid.
  [[nodiscard]] bool any() const noexcept;
  /// Returns titles such as "Angle" and "Length".
  [[nodiscard]] QStringList titles() const;

  /// Returns the values of a line, in the ranges and steps of the parameters; empty for an empty
  /// line. `set`: values that the user has set, which may determine how lengths are counted.
  [[nodiscard]] Values values_of(const GridLine& line, const Values& set) const;
  /// Returns the vector from start to end of the line with these values. Components that the values
  /// do not determine, and the sense of the direction, are taken from `like`.
  [[nodiscard]] Vec3 extent_of(const Values& set, const Vec3& like) const;
  /// Returns the values, and the length if they do not include it: "37.5°, 41 px (10.2 µm)".
  [[nodiscard]] QString text_of(const Values& set, const Vec3& extent) const;

 private:
  [[nodiscard]] Value value_of(const Parameter& parameter, const Values& set) const;
  [[nodiscard]] Vec3 direction_of(const Values& set, const Vec3& like) const;
  [[nodiscard]] LineCount count(const Values& set) const;
  [[nodiscard]] double length_of(const Vec3& extent, LineCount count) const;

  const Parameter* angle_ = nullptr;
  const Parameter* direction_ = nullptr;
  const Parameter* length_ = nullptr;
  Geometry grid_;
};

/// Returns the line rotated about its start, in its plane, to a multiple of 15 degrees. On 2-D
/// images pixels count as squares, as for angles; on volumes lengths count. `slice_axis`: normal of
/// the plane; the extent along it is kept.
[[nodiscard]] GridLine snapped(const GridLine& line, const Geometry& grid, int slice_axis);

}  // namespace seedwave::ui
