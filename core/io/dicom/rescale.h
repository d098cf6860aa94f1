// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/volume.h"
#include "core/io/dicom/header.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace seedwave::io::dicom {

/// The range that a set of frames can have after rescale, from their stored bits.
struct ValueLimits {
  bool integers = true;  // all slopes and intercepts are
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  /// Set if all slopes are 1: only the intercept shifts the stored range.
  bool shifted_only = true;

  void include(const PixelLayout& layout, const Rescale& rescale) noexcept;
  /// Returns true for integers beyond 32 bits, which 32-bit floating point rounds.
  [[nodiscard]] bool are_rounded() const noexcept;
};

/// Returns the type of a volume of those frames; docs/dicom.md, "Value types", states the rule.
///
/// Not integers: f32. Otherwise the smallest of u8, u16 (nothing negative), i16, i32 that holds the
/// limits. If a mere shift by the intercept takes 16-bit values past 16 bits, the type is still i16
/// or u16, and load widens to i32 if a value needs it. Beyond i32: f32.
[[nodiscard]] VoxelType choose_type(const ValueLimits& limits) noexcept;

/// Writes slope * stored + intercept, exactly for integers, rounded once for f32. Returns false if
/// a value does not fit T; the rest of `values` is then not written.
template <typename T>
[[nodiscard]] bool rescale_into(std::span<const std::int32_t> stored, const Rescale& rescale,
                                T* values) noexcept {
  if constexpr (std::is_same_v<T, float>) {
    for (std::size_t i = 0; i < stored.size(); ++i) {
      values[i] = static_cast<float>(stored[i] * rescale.slope + rescale.intercept);
    }
  } else {
    const auto slope = static_cast<std::int64_t>(rescale.slope);
    const auto intercept = static_cast<std::int64_t>(rescale.intercept);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      const std::int64_t value = stored[i] * slope + intercept;
      if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
        return false;
      values[i] = static_cast<T>(value);
    }
  }
  return true;
}

}  // namespace seedwave::io::dicom
