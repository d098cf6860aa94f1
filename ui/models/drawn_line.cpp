// SPDX-License-Identifier: Apache-2.0
#include "ui/models/drawn_line.h"

#include "core/image/length_scale.h"
#include "core/image/vec3.h"
#include "core/ops/direction_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace seedwave::ui {

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kHalfTurn = 180.0;
constexpr double kSnap = 15.0;
/// Typed components of a direction are multiples of one over this.
constexpr double kDirectionSteps = 1e3;

/// Lengths along the axes of the grid; in pixels for a 2-D image, whatever the size of its pixels.
Vec3 measured(const Vec3& voxels, const Geometry& grid) {
  if (grid.is_2d()) return voxels;
  return {voxels[0] * grid.spacing[0], voxels[1] * grid.spacing[1], voxels[2] * grid.spacing[2]};
}

/// Returns the nearest value that the parameter accepts, a multiple of its step.
double in_domain(const Parameter& parameter, double value) {
  const NumberDomain& range = *parameter.numbers();
  const double step = range.whole ? 1.0 : range.step;
  if (!(step > 0.0)) return std::clamp(value, range.low, range.high);
  // Steps below 1 are mostly an integer fraction of 1, which is not exact in binary.
  const double steps_in_one = std::round(1.0 / step);
  const double in_steps = step < 1.0 && std::abs(step * steps_in_one - 1.0) < 1e-9
                              ? std::round(value * steps_in_one) / steps_in_one
                              : std::round(value / step) * step;
  return std::clamp(in_steps, range.low, range.high);
}

/// A line has two opposite directions: brings the angle into range by half turns.
double angle_in_domain(const Parameter& parameter, double degrees) {
  double angle = degrees - kHalfTurn * std::floor(degrees / kHalfTurn);
  if (angle > parameter.numbers()->high) angle -= kHalfTurn;
  angle = in_domain(parameter, angle);
  return angle == kHalfTurn && parameter.numbers()->low <= 0.0 ? 0.0 : angle;
}

std::string direction_value(const Vec3& lengths) {
  Vec3 unit = scaled(lengths, 1.0 / norm(lengths));
  for (double& part : unit)
    part = std::round(part * kDirectionSteps) / kDirectionSteps + 0.0;  // no -0
  return direction_text(unit);
}

QString number(double value) {
  const int decimals = std::abs(value) >= 100.0 ? 0 : 1;
  const double rounded = std::round(value * 10.0) / 10.0;
  return QString::number(value, 'f', rounded == std::round(rounded) ? 0 : decimals);
}

}  // namespace

Vec3 GridLine::middle() const noexcept {
  return {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2};
}

Vec3 GridLine::extent() const noexcept {
  return minus(to, from);
}

LineParameters::LineParameters(const Operation& operation, const Geometry& grid) : grid_(grid) {
  for (const Parameter& parameter : operation.parameters) {
    if (!applies_to(parameter.applies, grid.is_2d())) continue;
    if (parameter.role_as<DrawnAngle>() != nullptr && grid.is_2d()) angle_ = &parameter;
    if (parameter.role_as<DrawnDirection>() != nullptr) direction_ = &parameter;
    if (parameter.role_as<DrawnLength>() != nullptr) length_ = &parameter;
  }
}

bool LineParameters::any() const noexcept {
  return angle_ != nullptr || direction_ != nullptr || length_ != nullptr;
}

QStringList LineParameters::titles() const {
  QStringList titles;
  for (const Parameter* parameter : {angle_, direction_, length_}) {
    if (parameter != nullptr) titles << QString::fromStdString(parameter->title);
  }
  return titles;
}

Value LineParameters::value_of(const Parameter& parameter, const Values& set) const {
  if (set.has(parameter.id)) return set.at(parameter.id);
  return initial_value(parameter, grid_.is_2d());
}

LineCount LineParameters::count(const Values& set) const {
  const auto* drawn = length_ == nullptr ? nullptr : length_->role_as<DrawnLength>();
  return drawn != nullptr && drawn->counted ? drawn->counted(set) : LineCount::Voxels;
}

double LineParameters::length_of(const Vec3& extent, LineCount count) const {
  if (count == LineCount::Ruler) return norm(measured(extent, grid_));
  return std::max({std::abs(extent[0]), std::abs(extent[1]), std::abs(extent[2])});
}

Values LineParameters::values_of(const GridLine& line, const Values& set) const {
  Values values;
  if (line.empty()) return values;
  const Vec3 extent = line.extent();
  if (angle_ != nullptr) {
    // Rows point down.
    const double degrees = std::atan2(-extent[1], extent[0]) / kDegree;
    values.set(angle_->id, angle_in_domain(*angle_, degrees));
  }
  if (direction_ != nullptr) values.set(direction_->id, direction_value(measured(extent, grid_)));
  if (length_ != nullptr)
    values.set(length_->id, in_domain(*length_, length_of(extent, count(set))));
  return values;
}

Vec3 LineParameters::direction_of(const Values& set, const Vec3& like) const {
  if (angle_ != nullptr) {
    const Value value = value_of(*angle_, set);
    if (const auto* degrees = std::get_if<double>(&value))
      return {std::cos(*degrees * kDegree), -std::sin(*degrees * kDegree), 0.0};
  }
  if (direction_ != nullptr) {
    const Value value = value_of(*direction_, set);
    const auto* text = std::get_if<std::string>(&value);
    if (const auto lengths = text == nullptr ? std::nullopt : parse_direction(*text)) {
      Vec3 voxels = *lengths;
      for (int axis = 0; axis < 3; ++axis)
        voxels[axis] /= grid_.spacing[axis];
      return voxels;
    }
  }
  return norm(like) > 0.0 ? like : Vec3{1.0, 0.0, 0.0};
}

Vec3 LineParameters::extent_of(const Values& set, const Vec3& like) const {
  const Vec3 direction = direction_of(set, like);
  const bool other_side = dot(direction, like) < 0.0;
  double wanted = 0.0;
  LineCount how = LineCount::Ruler;
  const Value length = length_ == nullptr ? Value(0.0) : value_of(*length_, set);
  if (length_ != nullptr && std::holds_alternative<double>(length)) {
    wanted = std::get<double>(length);
    how = count(set);
  } else {
    constexpr double kShare = 0.25;
    const Vec3 whole{static_cast<double>(grid_.size[0]), static_cast<double>(grid_.size[1]), 0.0};
    wanted = norm(measured(norm(like) > 0.0 ? like : scaled(whole, kShare), grid_));
  }
  return scaled(direction, (other_side ? -1.0 : 1.0) * wanted / length_of(direction, how));
}

QString LineParameters::text_of(const Values& set, const Vec3& extent) const {
  QStringList parts;
  if (angle_ != nullptr) {
    const Value value = value_of(*angle_, set);
    if (const auto* degrees = std::get_if<double>(&value)) parts << number(*degrees) + u'\u00b0';
  }
  if (direction_ != nullptr) {
    const Value value = value_of(*direction_, set);
    if (const auto* text = std::get_if<std::string>(&value))
      parts << QStringLiteral("(%1)").arg(
          QString::fromStdString(*text).replace(',', QStringLiteral(", ")));
  }
  const LengthScale scale = length_scale(grid_);
  const Vec3 lengths{extent[0] * grid_.spacing[0], extent[1] * grid_.spacing[1],
                     extent[2] * (grid_.is_2d() ? 0.0 : grid_.spacing[2])};
  const QString ruler =
      number(norm(lengths) * scale.per_unit) + ' ' + QString::fromStdString(scale.symbol);
  const LineCount how = count(set);
  const bool in_voxels = how == LineCount::Voxels || grid_.is_2d();
  if (length_ != nullptr && in_voxels) {
    const QString unit = grid_.is_2d() ? QStringLiteral("px") : QStringLiteral("voxels");
    QString told = QStringLiteral("%1 %2").arg(number(length_of(extent, how)), unit);
    if (grid_.unit != LengthUnit::Pixel) told += QStringLiteral(" (%1)").arg(ruler);
    parts << told;
  } else if (length_ != nullptr) {
    parts << ruler;
  }
  return parts.join(QStringLiteral(", "));
}

GridLine snapped(const GridLine& line, const Geometry& grid, int slice_axis) {
  const int right = slice_axis == 0 ? 1 : 0;
  const int down = slice_axis == 2 ? 1 : 2;
  const Vec3 lengths = measured(line.extent(), grid);
  const double length = std::hypot(lengths[right], lengths[down]);
  if (length == 0.0) return line;
  const double step = kSnap * kDegree;
  const double turned = std::round(std::atan2(lengths[down], lengths[right]) / step) * step;
  const Vec3 voxel = measured({1.0, 1.0, 1.0}, grid);
  GridLine result = line;
  result.to[right] = line.from[right] + length * std::cos(turned) / voxel[right];
  result.to[down] = line.from[down] + length * std::sin(turned) / voxel[down];
  return result;
}

}  // namespace seedwave::ui
