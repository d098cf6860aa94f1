// SPDX-License-Identifier: Apache-2.0
#include "ui/views/plane_axes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace seedwave::ui {
namespace {

/// Components of a direction with a smaller cosine have no letter.
constexpr double kLeastCosine = 0.1;

struct ScreenAxes {
  Vec3 right;
  Vec3 down;
};

/// Returns the directions of the patient's sides: seen from the feet, from the front, from the
/// patient's left.
ScreenAxes screen_axes(PlaneKind plane, Convention convention) {
  const double left = convention == Convention::Radiological ? 1.0 : -1.0;
  switch (plane) {
    case PlaneKind::Axial:
      return {{left, 0, 0}, {0, 1, 0}};
    case PlaneKind::Coronal:
      return {{left, 0, 0}, {0, 0, -1}};
    case PlaneKind::Sagittal:
      break;
  }
  return {{0, 1, 0}, {0, 0, -1}};
}

int patient_axis_of(const Vec3& unit) {
  for (int axis = 0; axis < 3; ++axis) {
    if (unit[axis] != 0) return axis;
  }
  return 0;
}

int patient_normal_of(PlaneKind plane) {
  switch (plane) {
    case PlaneKind::Axial:
      return 2;
    case PlaneKind::Coronal:
      return 1;
    case PlaneKind::Sagittal:
      break;
  }
  return 0;
}

PlaneKind plane_with_normal(int patient_axis) {
  if (patient_axis == 0) return PlaneKind::Sagittal;
  return patient_axis == 1 ? PlaneKind::Coronal : PlaneKind::Axial;
}

}  // namespace

std::array<int, 3> nearest_patient_axes(const Geometry& geometry) {
  std::array<int, 3> best{0, 1, 2};
  double best_sum = -1;
  std::array<int, 3> axes{0, 1, 2};
  do {
    double sum = 0;
    for (int grid = 0; grid < 3; ++grid)
      sum += std::abs(geometry.direction[3 * axes[grid] + grid]);
    if (sum > best_sum + 1e-9) {
      best_sum = sum;
      best = axes;
    }
  } while (std::next_permutation(axes.begin(), axes.end()));
  return best;
}

QString side_letters(const Vec3& direction, HeadFootLetters letters) {
  const bool head_foot = letters == HeadFootLetters::HeadFoot;
  const char positive[] = {'L', 'P', head_foot ? 'H' : 'S'};
  const char negative[] = {'R', 'A', head_foot ? 'F' : 'I'};
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(direction[a]) > std::abs(direction[b]); });
  QString text;
  for (const int axis : order) {
    if (std::abs(direction[axis]) < kLeastCosine) continue;
    text += QLatin1Char(direction[axis] > 0 ? positive[axis] : negative[axis]);
  }
  return text;
}

PlaneAxes::PlaneAxes(const Geometry& geometry, PlaneKind plane, Convention convention,
                     bool in_patient)
    : geometry_(geometry), plane_(plane) {
  if (geometry.unit != LengthUnit::Millimetre || !in_patient) {
    plane_ = PlaneKind::Axial;
    return;
  }
  has_sides_ = true;
  const std::array<int, 3> patient_axis = nearest_patient_axes(geometry);
  if (geometry.is_2d()) plane_ = plane_with_normal(patient_axis[2]);
  const auto grid_axis = [&](int axis) {
    return static_cast<int>(std::find(patient_axis.begin(), patient_axis.end(), axis) -
                            patient_axis.begin());
  };
  const ScreenAxes screen = screen_axes(plane_, convention);
  const int patient_right = patient_axis_of(screen.right);
  const int patient_down = patient_axis_of(screen.down);
  right_ = grid_axis(patient_right);
  down_ = grid_axis(patient_down);
  normal_ = grid_axis(patient_normal_of(plane_));
  const auto flipped = [&](int patient, int grid, const Vec3& wanted) {
    return geometry.direction[3 * patient + grid] * wanted[patient] < 0;
  };
  flip_right_ = flipped(patient_right, right_, screen.right);
  flip_down_ = flipped(patient_down, down_, screen.down);
}

PlaneAxes PlaneAxes::turned(const Turn& turn) const {
  PlaneAxes axes = *this;
  if (turn.mirrored) axes.flip_right_ = !axes.flip_right_;
  for (int i = 0; i < turn.quarters; ++i) {
    // Down becomes left, and right becomes down.
    const bool flip_right = !axes.flip_down_;
    std::swap(axes.right_, axes.down_);
    axes.flip_down_ = axes.flip_right_;
    axes.flip_right_ = flip_right;
  }
  return axes;
}

Index3 PlaneAxes::index_at(std::int64_t u, std::int64_t v, std::int64_t k) const noexcept {
  Index3 index{};
  index[right_] = flip_right_ ? width() - 1 - u : u;
  index[down_] = flip_down_ ? height() - 1 - v : v;
  index[normal_] = k;
  return index;
}

Vec3 PlaneAxes::world_at(double u, double v, double k) const noexcept {
  Vec3 index{};
  index[right_] = flip_right_ ? static_cast<double>(width() - 1) - u : u;
  index[down_] = flip_down_ ? static_cast<double>(height() - 1) - v : v;
  index[normal_] = k;
  return geometry_.to_world(index);
}

Vec3 PlaneAxes::slice_coordinates(const Vec3& world) const noexcept {
  const Vec3 index = geometry_.to_index(world);
  const double u = index[right_];
  const double v = index[down_];
  return {flip_right_ ? static_cast<double>(width() - 1) - u : u,
          flip_down_ ? static_cast<double>(height() - 1) - v : v, index[normal_]};
}

std::int64_t PlaneAxes::slice_of(const Vec3& world) const noexcept {
  const double k = geometry_.to_index(world)[normal_];
  return std::llround(std::clamp(k, 0.0, static_cast<double>(slice_count() - 1)));
}

std::int64_t PlaneAxes::start(std::int64_t k) const noexcept {
  return geometry_.offset(index_at(0, 0, k));
}

std::int64_t PlaneAxes::right_stride() const noexcept {
  const std::int64_t strides[] = {1, geometry_.size[0], geometry_.size[0] * geometry_.size[1]};
  return flip_right_ ? -strides[right_] : strides[right_];
}

std::int64_t PlaneAxes::down_stride() const noexcept {
  const std::int64_t strides[] = {1, geometry_.size[0], geometry_.size[0] * geometry_.size[1]};
  return flip_down_ ? -strides[down_] : strides[down_];
}

Vec3 PlaneAxes::direction(int axis, bool flipped) const noexcept {
  const double sign = flipped ? -1.0 : 1.0;
  const Matrix3& d = geometry_.direction;
  return {sign * d[axis], sign * d[3 + axis], sign * d[6 + axis]};
}

PlaneAxes::Sides PlaneAxes::sides(HeadFootLetters letters) const {
  if (!has_sides_) return {};
  return {side_letters(direction(right_, !flip_right_), letters),
          side_letters(direction(right_, flip_right_), letters),
          side_letters(direction(down_, !flip_down_), letters),
          side_letters(direction(down_, flip_down_), letters)};
}

}  // namespace seedwave::ui
