// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/reconstruction_markers.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/number_text.h"
#include "core/image/visit_type.h"
#include "core/parallel/parallel_for.h"
#include "core/parallel/ranks.h"
#include "core/wavefront/partitions/slabs.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

constexpr std::int64_t kMarkerGrain = 1 << 18;

/// Consecutive voxels of a volume.
struct Stretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

Stretch all_of(const Volume& image) {
  return {0, image.value_count()};
}

/// Returns the voxels of a marker that this process reads: those of the layers that it owns, and of
/// one more on each side.
Stretch own_part_of(const Volume& image, const Context& context) {
  const Ranks* const ranks = context.ranks();
  if (ranks == nullptr) return all_of(image);
  const SlabGrid grid(image.geometry().size, 1);
  const LayerRange layers = own_layers_and(*ranks, 1, grid.layers());
  return {layers.begin * grid.layer_cells(), layers.end * grid.layer_cells()};
}

/// Calls body(begin, end) on ranges of the voxels.
template <typename Body>
void for_ranges_of(const Stretch& voxels, Context& context, Body&& body) {
  const std::int64_t count = voxels.end - voxels.begin;
  parallel_for(context, count, kMarkerGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; at += kMarkerGrain) {
      context.checkpoint(static_cast<double>(at) / static_cast<double>(count));
      body(voxels.begin + at, voxels.begin + std::min(end, at + kMarkerGrain));
    }
  });
}

/// Returns a volume computed voxel by voxel as map(value) of another one; other voxels than `part`
/// have any values.
template <typename To, typename From, typename Map>
Volume mapped(const Volume& image, const Stretch& part, Context& context, Map map) {
  const From* from = image.voxels<From>().data();
  auto voxels = large_array<To>(static_cast<std::size_t>(image.value_count()));
  for_ranges_of(part, context, [&](std::int64_t begin, std::int64_t end) {
    To* to = voxels.get();
    for (std::int64_t i = begin; i < end; ++i)
      to[i] = map(from[i]);
  });
  return Volume(image.geometry(), std::move(voxels));
}

template <typename To, typename From, typename Join>
Volume joined(const Volume& a, const Volume& b, Context& context, Join join) {
  const From* first = a.voxels<From>().data();
  const From* second = b.voxels<From>().data();
  auto voxels = large_array<To>(static_cast<std::size_t>(a.value_count()));
  for_ranges_of(all_of(a), context, [&](std::int64_t begin, std::int64_t end) {
    To* to = voxels.get();
    for (std::int64_t i = begin; i < end; ++i)
      to[i] = join(first[i], second[i]);
  });
  return Volume(a.geometry(), std::move(voxels));
}

/// Type of the distance that a value can move. For integers it reaches the width of the type's
/// range, which a signed type itself does not hold.
template <typename T>
struct StepOf {
  using Type = std::make_unsigned_t<T>;
};
template <>
struct StepOf<float> {
  using Type = float;
};

template <typename T>
typename StepOf<T>::Type step_of(double h) {
  using Step = typename StepOf<T>::Type;
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<Step>(h);
  } else {
    return static_cast<Step>(std::min(std::floor(h), double{std::numeric_limits<Step>::max()}));
  }
}

template <typename T>
T lowered(T value, typename StepOf<T>::Type by) {
  if constexpr (std::is_floating_point_v<T>) {
    return value - by;
  } else {
    // Counted from the lowest value, in the step's own width, so nothing wraps.
    using Step = typename StepOf<T>::Type;
    constexpr T kLowest = std::numeric_limits<T>::lowest();
    const auto height = static_cast<Step>(static_cast<Step>(value) - static_cast<Step>(kLowest));
    return height > by ? static_cast<T>(static_cast<Step>(value) - by) : kLowest;
  }
}

template <typename T>
T raised(T value, typename StepOf<T>::Type by) {
  if constexpr (std::is_floating_point_v<T>) {
    return value + by;
  } else {
    using Step = typename StepOf<T>::Type;
    constexpr T kHighest = std::numeric_limits<T>::max();
    const auto depth = static_cast<Step>(static_cast<Step>(kHighest) - static_cast<Step>(value));
    return depth > by ? static_cast<T>(static_cast<Step>(value) + by) : kHighest;
  }
}

template <typename T>
Volume moved(const Volume& image, typename StepOf<T>::Type by, ReconstructionDirection direction,
             Context& context) {
  // All values of f32 are looked at later, for NaN.
  const Stretch part = std::is_floating_point_v<T> ? all_of(image) : own_part_of(image, context);
  if (direction == ReconstructionDirection::Dilation) {
    return mapped<T, T>(image, part, context, [by](T value) { return lowered<T>(value, by); });
  }
  return mapped<T, T>(image, part, context, [by](T value) { return raised<T>(value, by); });
}

template <typename T>
bool holds(double value) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(static_cast<float>(value)) == value || std::isnan(value);
  } else {
    return value >= double{std::numeric_limits<T>::lowest()} &&
           value <= double{std::numeric_limits<T>::max()} && value == std::trunc(value);
  }
}

[[noreturn]] void refuse_value(const Volume& image, VoxelType type, std::int64_t offset,
                               const std::string& what) {
  const Index3 at = image.geometry().index_of(offset);
  throw InputError(what + " is " + std::string(name_of(image.type())) + ", the image " +
                   std::string(name_of(type)) + ", which does not hold its value " +
                   number_text(image.value_at(at)) + " at (" + std::to_string(at[0]) + ", " +
                   std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")");
}

template <typename To, typename From>
Volume converted_from(const Volume& image, const std::string& what, Context& context) {
  const From* from = image.voxels<From>().data();
  std::atomic<std::int64_t> first_bad{std::numeric_limits<std::int64_t>::max()};
  for_ranges_of(all_of(image), context, [&](std::int64_t begin, std::int64_t end) {
    const From* bad = std::find_if(from + begin, from + end, [](From value) {
      return !holds<To>(static_cast<double>(value));
    });
    if (bad == from + end) return;
    std::int64_t seen = first_bad.load();
    while (bad - from < seen && !first_bad.compare_exchange_weak(seen, bad - from)) {
    }
  });
  if (first_bad.load() < image.value_count()) {
    refuse_value(image, voxel_type_of<To>(), first_bad.load(), what);
  }
  return mapped<To, From>(image, all_of(image), context,
                          [](From value) { return static_cast<To>(value); });
}

}  // namespace

Volume moved_by(const Volume& image, double h, ReconstructionDirection direction,
                Context& context) {
  return visit_voxels(image, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    return moved<T>(image, step_of<T>(h), direction, context);
  });
}

Volume moved_by_least(const Volume& image, ReconstructionDirection direction, Context& context) {
  return visit_voxels(image, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T kFar = std::numeric_limits<T>::infinity();
      const T end = direction == ReconstructionDirection::Dilation ? -kFar : kFar;
      return mapped<T, T>(image, all_of(image), context,
                          [end](T value) { return std::nextafter(value, end); });
    } else {
      return moved<T>(image, 1, direction, context);
    }
  });
}

Volume border_of(const Volume& image, ReconstructionDirection direction, Context& context) {
  return visit_voxels(image, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    using Limits = std::numeric_limits<T>;
    T inside = direction == ReconstructionDirection::Dilation ? Limits::lowest() : Limits::max();
    if constexpr (std::is_floating_point_v<T>) {
      inside =
          direction == ReconstructionDirection::Dilation ? -Limits::infinity() : Limits::infinity();
    }
    const Geometry& geometry = image.geometry();
    const Index3& size = geometry.size;
    auto marker = large_array<T>(voxels.size());
    parallel_for(context, size[1] * size[2], 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        if (row % 4096 == 0) context.checkpoint(0.0);
        const std::int64_t y = row % size[1];
        const std::int64_t z = row / size[1];
        const T* from = voxels.data() + row * size[0];
        T* to = marker.get() + row * size[0];
        const bool whole_row =
            y == 0 || y == size[1] - 1 || (!geometry.is_2d() && (z == 0 || z == size[2] - 1));
        if (whole_row) {
          std::copy_n(from, size[0], to);
        } else {
          std::fill_n(to, size[0], inside);
          to[0] = from[0];
          to[size[0] - 1] = from[size[0] - 1];
        }
      }
    });
    return Volume(geometry, std::move(marker));
  });
}

Volume difference(const Volume& a, const Volume& b, Context& context) {
  return visit_voxels(a, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    if constexpr (std::is_floating_point_v<T>) {
      return joined<T, T>(a, b, context, [](T x, T y) { return x == y ? T{0} : x - y; });
    } else if constexpr (std::is_signed_v<T>) {
      return joined<T, T>(a, b, context, [](T x, T y) {
        const std::int64_t apart = std::int64_t{x} - std::int64_t{y};
        return static_cast<T>(std::min<std::int64_t>(apart, std::numeric_limits<T>::max()));
      });
    } else {
      return joined<T, T>(a, b, context, [](T x, T y) { return static_cast<T>(x - y); });
    }
  });
}

Volume where_different(const Volume& a, const Volume& b, Context& context) {
  return visit_voxels(a, [&](auto voxels) {
    using T = typename decltype(voxels)::value_type;
    return joined<std::uint8_t, T>(
        a, b, context, [](T x, T y) { return static_cast<std::uint8_t>(x != y ? 1 : 0); });
  });
}

Volume converted(const Volume& image, VoxelType type, const std::string& what, Context& context) {
  if (image.type() == type) return image;
  return visit_voxels(image, [&](auto voxels) {
    using From = typename decltype(voxels)::value_type;
    return visit_type(
        type, [&]<typename To>(To) { return converted_from<To, From>(image, what, context); });
  });
}

}  // namespace seedwave
