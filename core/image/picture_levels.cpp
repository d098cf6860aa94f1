// SPDX-License-Identifier: Apache-2.0
#include "core/image/picture_levels.h"

#include "core/image/mean_of.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace seedwave {

namespace {

template <typename T, std::size_t Components>
void halve(const T* from, std::int64_t width, std::int64_t height, T* to) {
  constexpr auto kStep = static_cast<std::int64_t>(Components);
  const std::int64_t half_width = (width + 1) / 2;
  for (std::int64_t y = 0; y < height; y += 2) {
    const T* upper = from + y * width * kStep;
    const T* lower = from + std::min(y + 1, height - 1) * width * kStep;
    T* out = to + y / 2 * half_width * kStep;
    // The last pixel of an odd row or column replaces its missing neighbour.
    for (std::int64_t x = 0; x < half_width; ++x) {
      const std::int64_t left = 2 * x * kStep;
      const std::int64_t right = std::min(2 * x + 1, width - 1) * kStep;
      for (std::int64_t c = 0; c < kStep; ++c) {
        out[x * kStep + c] =
            mean_of_four(upper[left + c], upper[right + c], lower[left + c], lower[right + c]);
      }
    }
  }
}

Volume half_of(const Volume& picture) {
  const Geometry& from = picture.geometry();
  Geometry to = from;
  for (int axis = 0; axis < 2; ++axis) {
    to.size[axis] = (from.size[axis] + 1) / 2;
    to.spacing[axis] = from.spacing[axis] * 2;
  }
  to.origin = from.to_world(Vec3{0.5, 0.5, 0.0});
  return visit_voxels(picture, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    std::vector<T> means(static_cast<std::size_t>(to.voxel_count() * picture.components()));
    if (picture.components() == 3) {
      halve<T, 3>(voxels.data(), from.size[0], from.size[1], means.data());
    } else {
      halve<T, 1>(voxels.data(), from.size[0], from.size[1], means.data());
    }
    return Volume(to, std::move(means), picture.components());
  });
}

}  // namespace

std::vector<Volume> picture_levels(const Volume& picture) {
  std::vector<Volume> levels;
  if (picture.empty() || !picture.geometry().is_2d()) return levels;
  const auto is_large = [](const Volume& volume) {
    return std::max(volume.geometry().size[0], volume.geometry().size[1]) > kSmallPicture;
  };
  for (Volume finest = picture; is_large(finest); finest = levels.back())
    levels.push_back(half_of(finest));
  return levels;
}

}  // namespace seedwave
