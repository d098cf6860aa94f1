// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/ops/operation.h"

#include <QString>
#include <QStringList>

namespace seedwave::ui {

/// A line on a grid, in voxels: whole numbers are their centres.
struct GridLine {
  Vec3 from{0, 0, 0};
  Vec3 to{0, 0, 0};

  [[nodiscard]] Vec3 middle() const noexcept;
  /// From its beginning to its end.
  [[nodiscard]] Vec3 extent() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return from == to; }
  friend bool operator==(const GridLine&, const GridLine&) = default;
};

/// What of a drawn line an operation takes as values, and what line its values are: there and back
/// by the operation's table alone. The operation must outlive this.
class LineParameters {
 public:
  LineParameters() = default;
  LineParameters(const Operation& operation, const Geometry& grid);

  /// False where the operation takes nothing of a line on such a grid.
  [[nodiscard]] bool any() const noexcept;
  /// "Angle", "Length".
  [[nodiscard]] QStringList titles() const;

  /// The values that a line means, in the parameters' ranges and in their steps; none where it is
  /// empty. `set`: those that the user set so far, by which lengths may be counted.
  [[nodiscard]] Values values_of(const GridLine& line, const Values& set) const;
  /// From the beginning to the end of the line of these values; what they leave open, and whether
  /// it points to one side or to the other, is as in `like`.
  [[nodiscard]] Vec3 extent_of(const Values& set, const Vec3& like) const;
  /// "37.5°, 41 px (10.2 µm)": the values, and where they do not say it how long that is.
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

/// The line turned about its beginning so that in its plane it points in steps of 15 degrees: on
/// 2-D images with pixels as squares, as angles are counted, on volumes by lengths. `slice_axis`:
/// across the plane; what the line has along it stays.
[[nodiscard]] GridLine snapped(const GridLine& line, const Geometry& grid, int slice_axis);

}  // namespace seedwave::ui
