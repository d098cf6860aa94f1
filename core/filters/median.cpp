// SPDX-License-Identifier: Apache-2.0
#include "core/filters/median.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/number_text.h"
#include "core/filters/kernel.h"
#include "core/image/ball.h"
#include "core/parallel/parallel_for.h"
#include "core/wavefront/ordered_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace seedwave {
namespace filters {
namespace {

const SelectKernel<std::int8_t>& select_kernel(const Kernel& kernel, std::int8_t) {
  return kernel.select_i8;
}
const SelectKernel<std::int16_t>& select_kernel(const Kernel& kernel, std::int16_t) {
  return kernel.select_i16;
}
const SelectKernel<std::int32_t>& select_kernel(const Kernel& kernel, std::int32_t) {
  return kernel.select_i32;
}

/// Converts values to signed keys in the same order. A key may be wider than the value.
template <typename T, typename Key>
struct Keys {
  static constexpr int kFirst = std::is_unsigned_v<CellOf<T>> && sizeof(Key) == sizeof(T)
                                    ? std::numeric_limits<Key>::min()
                                    : 0;
  static Key from(T value) { return static_cast<Key>(to_cell(value, false) + kFirst); }
  static T to_value(Key key) { return from_cell<T>(static_cast<CellOf<T>>(key - kFirst), false); }
};

/// Filters an image tile by tile. A tile's keys are copied with those that the ball reaches around
/// it, so neighbours are at fixed offsets, and borders need no care.
template <typename T, typename Key>
class MedianTiles {
 public:
  MedianTiles(std::span<const T> voxels, const Geometry& geometry, const std::vector<Index3>& ball,
              Context& context)
      : voxels_(voxels), size_(geometry.size), context_(context) {
    for (const Index3& offset : ball) {
      for (int axis = 0; axis < 3; ++axis)
        reach_[axis] = std::max(reach_[axis], offset[axis]);
    }
    constexpr Index3 kPlane{256, 64, 1};
    constexpr Index3 kBrick{256, 16, 8};
    const Index3& usual = size_[2] == 1 ? kPlane : kBrick;
    for (int axis = 0; axis < 3; ++axis) {
      tile_[axis] = std::min(size_[axis], std::max(usual[axis], reach_[axis]));
      padded_[axis] = tile_[axis] + 2 * reach_[axis];
      tiles_[axis] = (size_[axis] + tile_[axis] - 1) / tile_[axis];
    }
    for (const Index3& offset : ball) {
      offsets_.push_back((offset[2] * padded_[1] + offset[1]) * padded_[0] + offset[0]);
    }
  }

  LargeArray<T> run() {
    auto result = large_array<T>(voxels_.size());
    parallel_for(context_, tiles_[0] * tiles_[1] * tiles_[2], 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<Key> keys(padded_[0] * padded_[1] * padded_[2] + kMostLanes);
                   std::vector<Key> row(tile_[0] + kMostLanes);
                   for (std::int64_t number = begin; number < end; ++number)
                     filter(number, keys, row, result.get());
                 });
    context_.checkpoint(1.0);
    return result;
  }

 private:
  void filter(std::int64_t number, std::vector<Key>& keys, std::vector<Key>& row, T* result) {
    const Index3 lo{number % tiles_[0] * tile_[0], number / tiles_[0] % tiles_[1] * tile_[1],
                    number / (tiles_[0] * tiles_[1]) * tile_[2]};
    Index3 hi{};
    for (int axis = 0; axis < 3; ++axis)
      hi[axis] = std::min(size_[axis], lo[axis] + tile_[axis]);
    copy_keys(lo, hi, keys.data());
    const auto [least, most] = range_of(lo, hi, keys.data());
    using Bits = std::make_unsigned_t<Key>;
    const auto differing = static_cast<Bits>(static_cast<Bits>(least) ^ static_cast<Bits>(most));
    const int bits = std::bit_width(differing);
    // The smallest of all keys with the common upper bits.
    const auto sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Key) - 1));
    const auto lower = static_cast<Bits>((std::uint64_t{1} << bits) - 1);
    const auto upper = static_cast<Bits>((static_cast<Bits>(least) ^ sign) & ~lower);
    const auto first = static_cast<Key>(static_cast<Bits>(upper ^ sign));
    const SelectKernel<Key>& kernel = select_kernel(best_kernel(), Key{});
    const std::int64_t count = hi[0] - lo[0];
    for (std::int64_t z = lo[2]; z < hi[2]; ++z) {
      for (std::int64_t y = lo[1]; y < hi[1]; ++y) {
        if (context_.stop_requested()) return;
        const Key* from =
            keys.data() + reach_[0] +
            ((z - lo[2] + reach_[2]) * padded_[1] + y - lo[1] + reach_[1]) * padded_[0];
        kernel.middle(from, count, offsets_.data(), std::ssize(offsets_), first, bits, row.data());
        T* to = result + (z * size_[1] + y) * size_[0] + lo[0];
        for (std::int64_t i = 0; i < count; ++i)
          to[i] = Keys<T, Key>::to_value(row[i]);
      }
    }
  }

  /// Copies the keys of lo..hi and around. Outside the image the border voxel is repeated.
  void copy_keys(const Index3& lo, const Index3& hi, Key* keys) const {
    for (std::int64_t z = lo[2] - reach_[2]; z < hi[2] + reach_[2]; ++z) {
      for (std::int64_t y = lo[1] - reach_[1]; y < hi[1] + reach_[1]; ++y) {
        const T* row = voxels_.data() + (std::clamp<std::int64_t>(z, 0, size_[2] - 1) * size_[1] +
                                         std::clamp<std::int64_t>(y, 0, size_[1] - 1)) *
                                            size_[0];
        Key* to =
            keys + ((z - lo[2] + reach_[2]) * padded_[1] + y - lo[1] + reach_[1]) * padded_[0];
        const std::int64_t first = lo[0] - reach_[0];
        const std::int64_t last = hi[0] + reach_[0];
        const std::int64_t left = std::max<std::int64_t>(first, 0);
        const std::int64_t right = std::min(last, size_[0]);
        std::fill(to, to + (left - first), Keys<T, Key>::from(row[0]));
        for (std::int64_t x = left; x < right; ++x)
          to[x - first] = Keys<T, Key>::from(row[x]);
        std::fill(to + (right - first), to + (last - first), Keys<T, Key>::from(row[size_[0] - 1]));
      }
    }
  }

  [[nodiscard]] std::pair<Key, Key> range_of(const Index3& lo, const Index3& hi,
                                             const Key* keys) const {
    Key least = std::numeric_limits<Key>::max();
    Key most = std::numeric_limits<Key>::min();
    const std::int64_t count = hi[0] - lo[0] + 2 * reach_[0];
    for (std::int64_t z = 0; z < hi[2] - lo[2] + 2 * reach_[2]; ++z) {
      for (std::int64_t y = 0; y < hi[1] - lo[1] + 2 * reach_[1]; ++y) {
        const Key* row = keys + (z * padded_[1] + y) * padded_[0];
        for (std::int64_t i = 0; i < count; ++i) {
          least = std::min(least, row[i]);
          most = std::max(most, row[i]);
        }
      }
    }
    return {least, most};
  }

  std::span<const T> voxels_;
  const Index3& size_;
  Context& context_;
  Index3 reach_{};
  Index3 tile_{};    // voxels of a tile
  Index3 padded_{};  // the same with those that the ball reaches
  Index3 tiles_{};   // number of tiles
  std::vector<std::ptrdiff_t> offsets_;
};

template <typename T>
LargeArray<T> medians(std::span<const T> voxels, const Geometry& geometry, double radius,
                      Context& context) {
  const std::vector<Index3> ball = ball_offsets(radius, geometry);
  // Counts have the width of keys.
  const auto number = std::ssize(ball);
  if constexpr (sizeof(T) == 1) {
    if (number <= std::numeric_limits<std::uint8_t>::max())
      return MedianTiles<T, std::int8_t>(voxels, geometry, ball, context).run();
  }
  if constexpr (sizeof(T) <= 2) {
    if (number <= std::numeric_limits<std::uint16_t>::max())
      return MedianTiles<T, std::int16_t>(voxels, geometry, ball, context).run();
  }
  return MedianTiles<T, std::int32_t>(voxels, geometry, ball, context).run();
}

template <typename T>
LargeArray<T> selected(std::span<const T> voxels, const Geometry& geometry, double radius,
                       Context& context) {
  const std::vector<Index3> ball = ball_offsets(radius, geometry);
  const Index3& size = geometry.size;
  auto result = large_array<T>(voxels.size());
  parallel_for(context, size[1] * size[2], 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<CellOf<T>> cells(ball.size());
    const auto middle = cells.begin() + std::ssize(cells) / 2;
    for (std::int64_t i = begin * size[0]; i < end * size[0]; ++i) {
      if (context.stop_requested()) return;
      const Index3 here = geometry.index_of(i);
      for (std::size_t k = 0; k < ball.size(); ++k) {
        Index3 there{};
        for (int axis = 0; axis < 3; ++axis)
          there[axis] = std::clamp<std::int64_t>(here[axis] + ball[k][axis], 0, size[axis] - 1);
        cells[k] = to_cell(voxels[geometry.offset(there)], false);
      }
      std::nth_element(cells.begin(), middle, cells.end());
      result[i] = from_cell<T>(*middle, false);
    }
  });
  context.checkpoint(1.0);
  return result;
}

}  // namespace
}  // namespace filters

Volume median_filtered(const Volume& image, double radius, Context& context) {
  check_for_median(image);
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    return Volume(image.geometry(), filters::medians(voxels, image.geometry(), radius, context));
  });
}

Volume median_by_selection(const Volume& image, double radius, Context& context) {
  check_for_median(image);
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    return Volume(image.geometry(), filters::selected(voxels, image.geometry(), radius, context));
  });
}

void check_for_median(const Volume& image) {
  if (image.components() != 1)
    throw InputError("a median needs one channel: choose one of the colour image");
  refuse_nan(image, "the image");
}

std::vector<Index3> ball_offsets(double radius, const Geometry& geometry) {
  require(radius >= 0.0);
  const auto refuse = [&] {
    throw InputError("a radius of " + number_text(radius) + " covers more than " +
                     std::to_string(kMostMedianVoxels) + " voxels: choose a smaller one");
  };
  // A ball fills more than an eighth of its box, so no larger box is searched.
  constexpr double kLargestBox = 8.0 * static_cast<double>(kMostMedianVoxels);
  Index3 most{};
  double box = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (geometry.size[axis] == 1) continue;
    most[axis] = kMostMedianVoxels * 8;
    box *= 2.0 * std::floor(radius / geometry.spacing[axis]) + 1.0;
    if (!(box <= kLargestBox)) refuse();
  }
  std::vector<Index3> offsets;
  for (const BallRow& row : ball_rows(radius, geometry.spacing, most)) {
    for (std::int64_t dx = -row.half_width; dx <= row.half_width; ++dx) {
      if (std::ssize(offsets) == kMostMedianVoxels) refuse();
      offsets.push_back({dx, row.dy, row.dz});
    }
  }
  return offsets;
}

}  // namespace seedwave
