// SPDX-License-Identifier: Apache-2.0
#include "ui/views/halved.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace seedwave::ui {

Volume halved(const Volume& volume) {
  const Geometry& from = volume.geometry();
  Geometry to = from;
  Index3 factor{};
  Vec3 first_centre{};
  for (int axis = 0; axis < 3; ++axis) {
    factor[axis] = from.size[axis] > 1 ? 2 : 1;
    to.size[axis] = from.size[axis] / factor[axis];
    to.spacing[axis] = from.spacing[axis] * static_cast<double>(factor[axis]);
    first_centre[axis] = static_cast<double>(factor[axis] - 1) / 2;
  }
  to.origin = from.to_world(first_centre);
  return visit_voxels(volume, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    const Sum count = static_cast<Sum>(factor[0] * factor[1] * factor[2]);
    std::vector<T> means(static_cast<std::size_t>(to.voxel_count()));
    std::vector<Sum> sums(static_cast<std::size_t>(to.size[0]));
    std::size_t out = 0;
    for (std::int64_t z = 0; z < to.size[2]; ++z) {
      for (std::int64_t y = 0; y < to.size[1]; ++y) {
        std::fill(sums.begin(), sums.end(), Sum{0});
        for (std::int64_t vz = z * factor[2]; vz < (z + 1) * factor[2]; ++vz) {
          for (std::int64_t vy = y * factor[1]; vy < (y + 1) * factor[1]; ++vy) {
            const T* row = voxels.data() + from.offset({0, vy, vz});
            for (std::int64_t x = 0; x < to.size[0]; ++x) {
              for (std::int64_t i = 0; i < factor[0]; ++i)
                sums[static_cast<std::size_t>(x)] += static_cast<Sum>(row[x * factor[0] + i]);
            }
          }
        }
        for (const Sum sum : sums)
          means[out++] = static_cast<T>(sum / count);
      }
    }
    return Volume(to, std::move(means));
  });
}

}  // namespace seedwave::ui
