// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/distance_sides.cuh"

#include <cstdint>
#include <limits>

/// The first inputs and the final outputs of the distance transform's passes.
namespace seedwave::gpu {

// The cells from which distances count, and their names.
struct Background {
  const std::uint8_t* objects;
  [[nodiscard]] __device__ bool is(std::int64_t cell) const { return objects[cell] == 0; }
  [[nodiscard]] __device__ std::uint32_t name(std::int64_t cell) const {
    return static_cast<std::uint32_t>(cell);
  }
};
struct Labelled {
  const std::uint16_t* labels;
  [[nodiscard]] __device__ bool is(std::int64_t cell) const { return labels[cell] != 0; }
  [[nodiscard]] __device__ std::uint32_t name(std::int64_t cell) const { return labels[cell]; }
};

// Conversions of a square to the answer.
struct AsVoxelSquare {
  using Out = std::int32_t;
  static constexpr Out kNone = -1;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    return static_cast<Out>(square);
  }
};
/// Computed in f64, as on the CPU. For a plain root, f32 gives the same bits if the square is exact
/// in it: f64 has more than twice as many digits plus two (Figueroa 1995).
struct AsLength {
  using Out = float;
  static constexpr Out kNone = std::numeric_limits<float>::infinity();
  double unit;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    constexpr Square kExact = 1 << 24;
    if (unit == 1.0 && square <= kExact) return __fsqrt_rn(static_cast<float>(square));
    return static_cast<float>(unit * sqrt(static_cast<double>(square)));
  }
};
struct AsScaledSquare {
  using Out = float;
  static constexpr Out kNone = std::numeric_limits<float>::infinity();
  double unit_squared;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    return static_cast<float>(unit_squared * static_cast<double>(square));
  }
};

// Outputs of the last pass: from a cell's key, or from the keys of adjacent cells, the first at a
// multiple of kAtOnce.
template <typename Measure>
struct Distances {
  Measure measure;
  typename Measure::Out* distance;
  std::int32_t* nearest;
  template <typename Key>
  __device__ void operator()(std::int64_t cell, Key key) const {
    distance[cell] = length_of(key);
    if constexpr (Key::kNamed) nearest[cell] = name_of(key);
  }
  template <typename Key>
  __device__ void side(std::int64_t first, const Key* keys) const {
    store_side(distance, first, [&](int i) { return length_of(keys[i]); });
    if constexpr (Key::kNamed) store_side(nearest, first, [&](int i) { return name_of(keys[i]); });
  }

 private:
  template <typename Key>
  [[nodiscard]] __device__ typename Measure::Out length_of(Key key) const {
    return key.is_none() ? Measure::kNone : measure(key.square());
  }
  template <typename Key>
  [[nodiscard]] static __device__ std::int32_t name_of(Key key) {
    return key.is_none() ? -1 : static_cast<std::int32_t>(key.name());
  }
};
struct Zones {
  std::uint16_t* labels;
  template <typename Key>
  __device__ void operator()(std::int64_t cell, Key key) const {
    labels[cell] = label_of(key);
  }
  template <typename Key>
  __device__ void side(std::int64_t first, const Key* keys) const {
    store_side(labels, first, [&](int i) { return label_of(keys[i]); });
  }

 private:
  template <typename Key>
  [[nodiscard]] static __device__ std::uint16_t label_of(Key key) {
    return key.is_none() ? 0 : static_cast<std::uint16_t>(key.name());
  }
};
/// Output of a pass that is not the last.
template <typename Key>
struct Keys {
  Key* keys;
  __device__ void operator()(std::int64_t cell, Key key) const { keys[cell] = key; }
  __device__ void side(std::int64_t first, const Key* some) const {
    store_side(keys, first, [&](int i) { return some[i]; });
  }
};

}  // namespace seedwave::gpu
