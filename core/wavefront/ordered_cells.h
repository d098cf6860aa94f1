// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"

#include <bit>
#include <cstdint>
#include <type_traits>

/// Voxels as the cells of wavefronts: unsigned or whole numbers in the same order, so that three
/// cell types do for all voxel types and no engine meets a -0.0.
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

/// u8 -> u8; u16, i16 -> u16; i32, f32 -> i32.
template <typename T>
using CellOf = typename detail::CellOf<T>::Type;

/// Order-preserving and one to one, but that -0.0 counts as +0.0; no NaN. Turned: upside down.
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

/// What to_cell() was given.
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

/// to_cell() of a row that does not overlap `cells`. In calls of their own these loops run on
/// vectors; inside a larger one a byte that is stored could be anything that the loop reads.
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

/// from_cell() of a row that does not overlap `voxels`.
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
