// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/morphology/distance/part_solver.h"
#include "gpu/device/buffer.h"
#include "gpu/morphology/distance_passes.cuh"
#include "gpu/morphology/distance_sides.cuh"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

/// The first inputs and the last outputs of the distance transform's passes.
namespace seedwave::gpu {

struct Background {
  const std::uint8_t* objects;
  /// The offset of the first cell in the whole image.
  std::int64_t first;
  [[nodiscard]] __device__ bool is(std::int64_t cell) const { return objects[cell] == 0; }
  [[nodiscard]] __device__ std::uint32_t name(std::int64_t cell) const {
    return static_cast<std::uint32_t>(first + cell);
  }
};

template <typename Label>
struct Labelled {
  const Label* labels;
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

template <typename Label>
struct Zones {
  Label* labels;
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
  [[nodiscard]] static __device__ Label label_of(Key key) {
    return key.is_none() ? 0 : static_cast<Label>(key.name());
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

// The ends of the passes of a problem.
//
//   Site, sites                  the input of each voxel, on the host
//   sites_of(device, first)      the sites of the passes; first: the offset of the first one
//   Answers<Key>                 the answers of some cells on the device:
//     finish()                   the output of the last pass
//     for_each(to, body)         calls body(device, bytes of a cell, host) for each array

template <typename Measure>
struct DistanceEnds {
  using Site = std::uint8_t;
  using Out = typename Measure::Out;

  std::span<const Site> sites;
  Measure measure;

  static Background sites_of(const Site* device, std::int64_t first) { return {device, first}; }

  template <typename Key>
  class Answers {
   public:
    Answers(const DistanceEnds& ends, DeviceBuffer<Key>& keys, const Stream& stream)
        : measure_(ends.measure),
          lengths_(kInPlace ? 0 : keys.size(), stream),
          names_(Key::kNamed ? keys.size() : 0, stream),
          first_(kInPlace ? reinterpret_cast<Out*>(keys.data()) : lengths_.data()) {}
    [[nodiscard]] Distances<Measure> finish() { return {measure_, first_, names_.data()}; }
    template <typename Body>
    void for_each(const distance::Answer& to, const Body& body) const {
      if constexpr (std::is_same_v<Out, float>) {
        body(first_, sizeof(Out), to.reals);
      } else {
        body(first_, sizeof(Out), to.wholes);
      }
      if (Key::kNamed) body(names_.data(), sizeof(std::int32_t), to.nearest);
    }

   private:
    static constexpr bool kInPlace = sizeof(Key) == sizeof(Out);
    Measure measure_;
    DeviceBuffer<Out> lengths_;
    DeviceBuffer<std::int32_t> names_;
    Out* first_;
  };
};

template <typename Label>
struct ZoneEnds {
  using Site = Label;

  std::span<const Site> sites;

  static Labelled<Label> sites_of(const Site* device, std::int64_t /*first*/) { return {device}; }

  template <typename Key>
  class Answers {
   public:
    Answers(const ZoneEnds& /*ends*/, DeviceBuffer<Key>& keys, const Stream& stream)
        : zones_(keys.size(), stream) {}
    [[nodiscard]] Zones<Label> finish() { return {zones_.data()}; }
    template <typename Body>
    void for_each(const distance::Answer& to, const Body& body) const {
      body(zones_.data(), sizeof(Label), to.labels);
    }

   private:
    DeviceBuffer<Label> zones_;
  };
};

}  // namespace seedwave::gpu
