// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace seedwave {
namespace {

constexpr double kLargestValue = 65535.0;

[[noreturn]] void refuse(double value, const Index3& at, std::string_view what) {
  throw InputError(std::string(what) + " holds " + number_text(value) + " at index " +
                   std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " +
                   std::to_string(at[2]) +
                   ", which is not a label: labels are whole numbers from 0 to 65535");
}

}  // namespace

std::vector<std::uint16_t> label_values_from(const Volume& volume, std::string_view what,
                                             const std::function<void()>& checkpoint) {
  require(volume.components() == 1);
  constexpr std::int64_t kVoxelsPerCheck = 1 << 20;
  const Geometry& geometry = volume.geometry();
  const std::int64_t count = geometry.voxel_count();
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(count));
  visit_voxels(volume, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    for (std::int64_t begin = 0; begin < count; begin += kVoxelsPerCheck) {
      checkpoint();
      const std::int64_t end = std::min(begin + kVoxelsPerCheck, count);
      if constexpr (std::is_unsigned_v<Voxel>) {  // u8, u16: all values are labels
        std::copy(voxels.begin() + begin, voxels.begin() + end, labels.begin() + begin);
      } else {
        for (std::int64_t i = begin; i < end; ++i) {
          const auto value = static_cast<double>(voxels[i]);
          const bool fits = value >= 0.0 && value <= kLargestValue;  // false for NaN
          if (fits) labels[i] = static_cast<std::uint16_t>(value);
          if (!fits || labels[i] != value) refuse(value, geometry.index_of(i), what);
        }
      }
    }
  });
  return labels;
}

LabelMap labels_from(const Volume& volume, std::string_view what,
                     const std::function<void()>& checkpoint) {
  return {volume.geometry(), label_values_from(volume, what, checkpoint)};
}

}  // namespace seedwave
