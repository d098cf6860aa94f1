// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

/// What the distance transform's passes begin with and end in.
namespace seedwave::gpu {

// From which cells distances count, and what those are called.
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

// What a square becomes in the answer.
struct AsVoxelSquare {
  using Out = std::int32_t;
  static constexpr Out kNone = -1;
  template <typename Square>
  __device__ Out operator()(Square square) const {
    return static_cast<Out>(square);
  }
};
/// In f64, as on the CPU.
struct AsLength {
  using Out = float;
  static constexpr Out kNone = std::numeric_limits<float>::infinity();
  double unit;
  template <typename Square>
  __device__ Out operator()(Square square) const {
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

// How the last pass ends.
template <typename Measure>
struct Distances {
  Measure measure;
  typename Measure::Out* distance;
  std::int32_t* nearest;
  template <typename Key>
  __device__ void operator()(std::int64_t cell, Key key) const {
    distance[cell] = key.is_none() ? Measure::kNone : measure(key.square());
    if constexpr (Key::kNamed) {
      nearest[cell] = key.is_none() ? -1 : static_cast<std::int32_t>(key.name());
    }
  }
};
struct Zones {
  std::uint16_t* labels;
  template <typename Key>
  __device__ void operator()(std::int64_t cell, Key key) const {
    labels[cell] = key.is_none() ? 0 : static_cast<std::uint16_t>(key.name());
  }
};
/// A pass that is not the last.
template <typename Key>
struct Keys {
  Key* keys;
  __device__ void operator()(std::int64_t cell, Key key) const { keys[cell] = key; }
};

}  // namespace seedwave::gpu
