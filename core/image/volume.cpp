// SPDX-License-Identifier: Apache-2.0
#include "core/image/volume.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace seedwave {

std::string_view name_of(VoxelType type) noexcept {
  switch (type) {
    case VoxelType::U8:
      return "u8";
    case VoxelType::I16:
      return "i16";
    case VoxelType::U16:
      return "u16";
    case VoxelType::I32:
      return "i32";
    case VoxelType::U32:
      return "u32";
    case VoxelType::F32:
      break;
  }
  return "f32";
}

std::size_t bytes_of(VoxelType type) noexcept {
  switch (type) {
    case VoxelType::U8:
      return 1;
    case VoxelType::I16:
    case VoxelType::U16:
      return 2;
    case VoxelType::I32:
    case VoxelType::F32:
    case VoxelType::U32:
      break;
  }
  return 4;
}

double Volume::value_at(const Index3& index, int component) const {
  require(geometry_.contains(index));
  const auto at = static_cast<std::size_t>(geometry_.offset(index) * components_ + component);
  return visit_stored(*this, [at](auto voxels) { return static_cast<double>(voxels[at]); });
}

ValueRange value_range(const Volume& volume) {
  return visit_stored(volume, [](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    bool seen = false;
    T low{};
    T high{};
    for (const T value : voxels) {
      if (value != value) continue;  // NaN
      if (!seen || value < low) low = value;
      if (!seen || value > high) high = value;
      seen = true;
    }
    return ValueRange{static_cast<double>(low), static_cast<double>(high)};
  });
}

void refuse_nan(const Volume& volume, std::string_view what) {
  if (volume.type() != VoxelType::F32) return;
  const auto voxels = volume.voxels<float>();
  std::int64_t count = 0;
  std::int64_t first = -1;
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    if (!std::isnan(voxels[i])) continue;
    if (count++ == 0) first = static_cast<std::int64_t>(i) / volume.components();
  }
  if (count == 0) return;
  const Index3 at = volume.geometry().index_of(first);
  throw InputError(std::string(what) + " holds " + std::to_string(count) +
                   " NaN values, the first at index " + std::to_string(at[0]) + ", " +
                   std::to_string(at[1]) + ", " + std::to_string(at[2]));
}

void refuse_infinite(const Volume& volume, std::string_view what) {
  if (volume.type() != VoxelType::F32) return;
  const auto voxels = volume.voxels<float>();
  const auto is_infinite = [](float value) { return std::isinf(value); };
  const auto count = std::count_if(voxels.begin(), voxels.end(), is_infinite);
  if (count == 0) return;
  const auto first = std::find_if(voxels.begin(), voxels.end(), is_infinite) - voxels.begin();
  const Index3 at = volume.geometry().index_of(first / volume.components());
  throw InputError(std::string(what) + " has " + std::to_string(count) + " infinite value" +
                   (count == 1 ? "" : "s") + ", the first at (" + std::to_string(at[0]) + ", " +
                   std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")");
}

}  // namespace seedwave
