// SPDX-License-Identifier: Apache-2.0
#include "core/engine/spread_part.h"

#include "core/image/label_map.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

template <typename T>
std::vector<T> laid(std::span<const T> part, const Box& box, const Geometry& grid, T outside) {
  std::vector<T> whole(static_cast<std::size_t>(grid.voxel_count()), outside);
  const std::int64_t columns = box.hi[0] - box.lo[0];
  const T* from = part.data();
  for (std::int64_t z = box.lo[2]; z < box.hi[2]; ++z) {
    for (std::int64_t y = box.lo[1]; y < box.hi[1]; ++y) {
      std::copy_n(from, columns, whole.begin() + grid.offset({box.lo[0], y, z}));
      from += columns;
    }
  }
  return whole;
}

}  // namespace

LabelMap spread(const LabelMap& part, const Box& box, const Geometry& grid) {
  return visit_labels(part.labels(), [&]<typename T>(std::span<const T> labels) {
    return LabelMap(grid, laid<T>(labels, box, grid, 0));
  });
}

Volume spread(const ScalarMap& part, const Box& box, const Geometry& grid) {
  return visit_voxels(part.volume, [&](auto voxels) {
    using Voxel = std::remove_const_t<typename decltype(voxels)::element_type>;
    auto outside = static_cast<Voxel>(part.none.value_or(0.0));
    if constexpr (std::is_floating_point_v<Voxel>)
      outside = std::numeric_limits<Voxel>::quiet_NaN();
    return Volume(grid, laid<Voxel>(voxels, box, grid, outside));
  });
}

}  // namespace seedwave
