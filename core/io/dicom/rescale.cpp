// SPDX-License-Identifier: Apache-2.0
#include "core/io/dicom/rescale.h"

#include "core/io/formats/raw_voxels.h"

#include <algorithm>

namespace seedwave::io::dicom {
namespace {

template <typename T>
bool holds(const ValueLimits& limits) {
  return limits.low >= static_cast<double>(std::numeric_limits<T>::min()) &&
         limits.high <= static_cast<double>(std::numeric_limits<T>::max());
}

}  // namespace

void ValueLimits::include(const PixelLayout& layout, const Rescale& rescale) noexcept {
  const double range = std::ldexp(1.0, layout.bits_stored);
  const double first = layout.is_signed ? -range / 2 : 0.0;
  const double a = rescale.slope * first + rescale.intercept;
  const double b = rescale.slope * (first + range - 1) + rescale.intercept;
  low = std::min({low, a, b});
  high = std::max({high, a, b});
  integers = integers && keeps_integers(rescale.slope) && keeps_integers(rescale.intercept);
  shifted_only = shifted_only && rescale.slope == 1.0;
}

bool ValueLimits::are_rounded() const noexcept {
  return integers && choose_type(*this) == VoxelType::F32;
}

VoxelType choose_type(const ValueLimits& limits) noexcept {
  if (!limits.integers) return VoxelType::F32;
  if (holds<std::uint8_t>(limits)) return VoxelType::U8;
  if (holds<std::uint16_t>(limits)) return VoxelType::U16;
  if (holds<std::int16_t>(limits)) return VoxelType::I16;
  if (limits.shifted_only && std::max(-limits.low, limits.high) < 131072) {
    return limits.low < 0 ? VoxelType::I16 : VoxelType::U16;
  }
  return holds<std::int32_t>(limits) ? VoxelType::I32 : VoxelType::F32;
}

}  // namespace seedwave::io::dicom
