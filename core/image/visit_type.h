// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <utility>

namespace seedwave {

/// Calls visitor(T{}) with a value of the type, as visit_voxels() does with the voxels of a volume.
template <typename Visitor>
decltype(auto) visit_type(VoxelType type, Visitor&& visitor) {
  switch (type) {
    case VoxelType::U8:
      return visitor(std::uint8_t{});
    case VoxelType::I16:
      return visitor(std::int16_t{});
    case VoxelType::U16:
      return visitor(std::uint16_t{});
    case VoxelType::I32:
      return visitor(std::int32_t{});
    default:
      break;
  }
  return visitor(float{});
}
/// The same for code that takes U32 too.
template <typename Visitor>
decltype(auto) visit_stored_type(VoxelType type, Visitor&& visitor) {
  if (type == VoxelType::U32) return visitor(std::uint32_t{});
  return visit_type(type, std::forward<Visitor>(visitor));
}

}  // namespace seedwave
