// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <bit>
#include <cstdint>
#include <type_traits>

/// Voxels as the cells of wavefronts: integers in the same order. Three cell types thus serve all
/// voxel types, and no engine handles -0.0.
namespace seedwave {

namespace detail {
template <typename T>
struct CellOf {
  using Type = T;
};
template <>
struct CellOf<std::int16_t> {
  using Type = std::uint16_t;
};
template <>
struct CellOf<float> {
  using Type = std::int32_t;
};
}  // namespace detail

/// Cell type of a voxel type: u8 -> u8; u16, i16 -> u16; i32, f32 -> i32.
template <typename T>
using CellOf = typename detail::CellOf<T>::Type;

/// Returns the cell of a voxel. Order-preserving and one-to-one, except that -0.0 maps to +0.0. NaN
/// is not allowed. If `turned`, the order is inverted.
template <typename T>
SEEDWAVE_HD CellOf<T> to_cell(T voxel, bool turned) {
  CellOf<T> cell{};
  if constexpr (std::is_same_v<T, float>) {
    const auto bits = std::bit_cast<std::int32_t>(voxel + 0.0F);
    cell = bits < 0 ? bits ^ 0x7FFFFFFF : bits;
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    cell = static_cast<std::uint16_t>(voxel ^ 0x8000);
  } else {
    cell = voxel;
  }
  return turned ? static_cast<CellOf<T>>(~cell) : cell;
}

/// Inverse of to_cell().
template <typename T>
SEEDWAVE_HD T from_cell(CellOf<T> cell, bool turned) {
  if (turned) cell = static_cast<CellOf<T>>(~cell);
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(cell < 0 ? cell ^ 0x7FFFFFFF : cell);
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    return static_cast<std::int16_t>(cell ^ 0x8000);
  } else {
    return cell;
  }
}

/// Applies to_cell() to a row that does not overlap `cells`. As separate functions these loops are
/// vectorised. Inlined into a larger one, a stored byte could alias anything that the loop reads.
template <typename T>
void to_cells(const T* __restrict voxels, std::int64_t count, bool turned,
              CellOf<T>* __restrict cells) {
  if (turned) {
    for (std::int64_t i = 0; i < count; ++i)
      cells[i] = to_cell(voxels[i], true);
  } else {
    for (std::int64_t i = 0; i < count; ++i)
      cells[i] = to_cell(voxels[i], false);
  }
}

/// Applies from_cell() to a row that does not overlap `voxels`.
template <typename T>
void from_cells(const CellOf<T>* __restrict cells, std::int64_t count, bool turned,
                T* __restrict voxels) {
  if (turned) {
    for (std::int64_t i = 0; i < count; ++i)
      voxels[i] = from_cell<T>(cells[i], true);
  } else {
    for (std::int64_t i = 0; i < count; ++i)
      voxels[i] = from_cell<T>(cells[i], false);
  }
}

}  // namespace seedwave
