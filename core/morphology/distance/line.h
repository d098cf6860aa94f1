// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance/kernel.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

/// Code shared by lines along any axis: choice of kernel, padding, and squares of steps.
namespace seedwave::distance {

/// The type on which far() works if near() works on Cell.
template <typename Cell>
using ValueOf = std::conditional_t<std::is_same_v<Cell, std::uint16_t>, std::int32_t, Cell>;

/// The type in which steps along columns are counted if near() works on Cell.
template <typename Cell>
using StepOf = std::conditional_t<std::is_same_v<Cell, double>, std::uint32_t, std::uint16_t>;

template <typename Cell>
[[nodiscard]] const NearKernel<Cell>& near_of(const Kernel& kernel) {
  if constexpr (std::is_same_v<Cell, std::uint16_t>)
    return kernel.near_u16;
  else if constexpr (std::is_same_v<Cell, std::int32_t>)
    return kernel.near_i32;
  else if constexpr (std::is_same_v<Cell, std::int64_t>)
    return kernel.near_i64;
  else
    return kernel.near_f64;
}
template <typename Value>
[[nodiscard]] const FarKernel<Value>& far_of(const Kernel& kernel) {
  if constexpr (std::is_same_v<Value, std::int32_t>)
    return kernel.far_i32;
  else if constexpr (std::is_same_v<Value, std::int64_t>)
    return kernel.far_i64;
  else
    return kernel.far_f64;
}

[[nodiscard]] constexpr std::int64_t filled_up(std::int64_t count, std::int64_t block) {
  return (count + block - 1) / block * block;
}

/// Columns are padded to whole blocks of every cell type, and of bytes.
inline constexpr std::int64_t kColumnBlock = 64;
/// Number of cells beyond each end of a line.
inline constexpr std::int64_t kMargin = 64;
static_assert(kMargin > kReach);
/// Number of extra positions that far() may write beyond the requested ones.
inline constexpr std::int64_t kFarBlock = 64;

/// Number of bits for the name below the square in an i64 cell. Among equal squares the smallest
/// name wins; everything else is the same as for squares alone.
inline constexpr int kNameBits = 32;
template <typename Cell>
[[nodiscard]] Cell cell_of(double square) {
  if constexpr (std::is_same_v<Cell, std::int64_t>) {
    return static_cast<std::int64_t>(square) << kNameBits;
  } else {
    return static_cast<Cell>(square);
  }
}

/// The squares of steps along one axis, for near() and far().
template <typename Cell>
class StepSquares {
 public:
  using Value = ValueOf<Cell>;

  StepSquares(double weight, std::int64_t length)
      : weight_(cell_of<Value>(weight)), length_(length) {
    for (int k = 0; k <= kReach + 1; ++k)
      near_[k] = cell_of<Cell>(weight * k * k);
    far_.resize(static_cast<std::size_t>(2 * length + kFarBlock));
    for (std::int64_t k = -length; k < length + kFarBlock; ++k) {
      // Values beyond the line are never used.
      const auto steps = static_cast<double>(std::min(k, length));
      far_[static_cast<std::size_t>(k + length)] = cell_of<Value>(weight * steps * steps);
    }
  }
  [[nodiscard]] const Cell* near() const { return near_; }
  [[nodiscard]] const Value* far() const { return far_.data() + length_; }
  [[nodiscard]] Value weight() const { return weight_; }

 private:
  Value weight_;
  std::int64_t length_;
  Cell near_[kReach + 2];
  std::vector<Value> far_;
};

/// Working memory of far() for a line's candidates.
template <typename Cell>
class FarLine {
 public:
  using Value = ValueOf<Cell>;

  FarLine(const Kernel& kernel, const StepSquares<Cell>& squares, std::int64_t length)
      : kernel_(kernel), squares_(squares), best_(length + kFarBlock), least_(length + kFarBlock) {}

  const Value* solve(const Candidates<Value>& candidates, std::int64_t first, std::int64_t last) {
    far_of<Value>(kernel_).far(candidates, first, last, squares_.weight(), squares_.far(),
                               best_.data(), least_.data());
    return least_.data();
  }

 private:
  const Kernel& kernel_;
  const StepSquares<Cell>& squares_;
  std::vector<std::int32_t> best_;
  std::vector<Value> least_;
};

}  // namespace seedwave::distance
