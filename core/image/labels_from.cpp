// SPDX-License-Identifier: Apache-2.0
#include "core/image/labels_from.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kVoxelsPerCheck = 1 << 20;
constexpr double kLargestValue = std::numeric_limits<Label>::max();

[[noreturn]] void refuse(double value, const Index3& at, std::string_view what) {
  throw InputError(std::string(what) + " holds " + number_text(value) + " at index " +
                   std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " +
                   std::to_string(at[2]) +
                   ", which is not a label: labels are whole numbers from 0 to 4294967295");
}

/// Returns the largest value. Throws for a value that is not a label.
template <typename Voxel>
Label check_labels(std::span<const Voxel> voxels, const Geometry& geometry, std::string_view what,
                   const std::function<void()>& checkpoint) {
  Voxel most = 0;
  for (std::int64_t i = 0; i < std::ssize(voxels); ++i) {
    if (i % kVoxelsPerCheck == 0) checkpoint();
    const Voxel voxel = voxels[i];
    const auto value = static_cast<double>(voxel);
    const bool fits = value >= 0.0 && value <= kLargestValue;  // false for NaN
    if (!fits || (std::is_floating_point_v<Voxel> && value != std::floor(value)))
      refuse(value, geometry.index_of(i), what);
    most = std::max(most, voxel);
  }
  return static_cast<Label>(most);
}

/// Copies voxels that are labels of type T.
template <typename T, typename Voxel>
void copy_labels(std::span<const Voxel> voxels, std::vector<T>& labels,
                 const std::function<void()>& checkpoint) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i % kVoxelsPerCheck == 0) checkpoint();
    labels[i] = static_cast<T>(voxels[i]);
  }
}

}  // namespace

LabelMap labels_from(const Volume& volume, std::string_view what,
                     const std::function<void()>& checkpoint) {
  require(volume.components() == 1);
  const Geometry& geometry = volume.geometry();
  return visit_stored(volume, [&]<typename Voxel>(std::span<const Voxel> voxels) {
    if constexpr (LabelType<Voxel> && sizeof(Voxel) < sizeof(Label)) {
      return LabelMap(geometry, LabelSpan(voxels), volume.owner());
    } else {
      const Label most = check_labels(voxels, geometry, what, checkpoint);
      if constexpr (std::is_integral_v<Voxel> && sizeof(Voxel) == sizeof(Label)) {
        if (most > std::numeric_limits<std::uint16_t>::max()) {
          // Signed numbers that are labels have the same bits.
          const auto* labels = reinterpret_cast<const Label*>(voxels.data());
          return LabelMap(geometry, LabelSpan(std::span(labels, voxels.size())), volume.owner());
        }
      }
      return make_labels(geometry, most,
                         [&](auto& labels) { copy_labels(voxels, labels, checkpoint); });
    }
  });
}

}  // namespace seedwave
