// SPDX-License-Identifier: Apache-2.0
// Included once without and once with AVX2. Everything here has internal linkage.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/texture/class_kernel.h"

namespace seedwave::texture {
namespace {

using Doubles = VectorOf<double>::Type;
using Longs = VectorOf<std::int64_t>::Type;

constexpr int kDoubleLanes = kLanes<double>;
constexpr int kVectors = kWindowsAtOnce / kDoubleLanes;
/// Numbers of axes and of vectors of windows whose sums fit into the registers together.
constexpr int kAxesAtOnce = 4;
#ifdef SEEDWAVE_FOR_AVX2
constexpr int kVectorsAtOnce = 2;
#else
constexpr int kVectorsAtOnce = 1;  // a vector is two registers
#endif

/// Maps the axes first .. first + axes - 1 of all windows.
template <int axes>
SEEDWAVE_INLINE void map_axes(const ClassMap& map, std::int64_t first, const float* features,
                              std::int64_t stride, double* mapped) {
  for (int begin = 0; begin < kVectors; begin += kVectorsAtOnce) {
    Doubles sums[axes][kVectorsAtOnce] = {};
    const float* from = features + begin * kDoubleLanes;
    const double* factors = map.axes + first;
    for (std::int64_t plane = 0; plane < map.planes; ++plane) {
      Doubles lanes[kVectorsAtOnce];
      for (int v = 0; v < kVectorsAtOnce; ++v)
        lanes[v] = doubles_of(load<VectorOf<float>::Half>(from + v * kDoubleLanes));
      for (int axis = 0; axis < axes; ++axis) {
        for (int v = 0; v < kVectorsAtOnce; ++v)
          sums[axis][v] += factors[axis] * lanes[v];
      }
      from += stride;
      factors += map.dimensions;
    }
    for (int axis = 0; axis < axes; ++axis) {
      double* to = mapped + (first + axis) * kWindowsAtOnce + begin * kDoubleLanes;
      for (int v = 0; v < kVectorsAtOnce; ++v)
        store(to + v * kDoubleLanes, sums[axis][v] - map.offsets[first + axis]);
    }
  }
}

SEEDWAVE_INLINE void map_all(const ClassMap& map, const float* features, std::int64_t stride,
                             double* mapped) {
  std::int64_t first = 0;
  for (; first + kAxesAtOnce <= map.dimensions; first += kAxesAtOnce)
    map_axes<kAxesAtOnce>(map, first, features, stride, mapped);
  switch (map.dimensions - first) {
    case 3:
      return map_axes<3>(map, first, features, stride, mapped);
    case 2:
      return map_axes<2>(map, first, features, stride, mapped);
    case 1:
      return map_axes<1>(map, first, features, stride, mapped);
    default:
      return;
  }
}

SEEDWAVE_INLINE Doubles squared_distance_to(const double* centre, const double* mapped,
                                            std::int64_t dimensions) {
  Doubles sum{};
  for (std::int64_t k = 0; k < dimensions; ++k) {
    const Doubles apart = load<Doubles>(mapped + k * kWindowsAtOnce) - centre[k];
    sum += apart * apart;
  }
  return sum;
}

void nearest(const ClassMap& map, const float* features, std::int64_t stride, double* mapped,
             std::uint16_t* classes, float* distances) {
  map_all(map, features, stride, mapped);
  for (int begin = 0; begin < kWindowsAtOnce; begin += kDoubleLanes) {
    Doubles least = squared_distance_to(map.centres, mapped + begin, map.dimensions);
    Longs nearest_one{};
    for (std::int64_t number = 1; number < map.classes; ++number) {
      const Doubles squared = squared_distance_to(map.centres + number * map.dimensions,
                                                  mapped + begin, map.dimensions);
      const auto is_less = squared < least;
      least = is_less ? squared : least;
      nearest_one = is_less ? Longs{} + number : nearest_one;
    }
    for (int lane = 0; lane < kDoubleLanes; ++lane) {
      classes[begin + lane] = static_cast<std::uint16_t>(nearest_one[lane]);
      distances[begin + lane] = static_cast<float>(__builtin_sqrt(least[lane]));
    }
  }
}

constexpr ClassKernel kKernel{.nearest = nearest};

}  // namespace
}  // namespace seedwave::texture
