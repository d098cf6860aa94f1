// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/seeds.h"
#include "gpu/wavefront/bricks.cuh"
#include "gpu/wavefront/reach_bricks.cuh"

#include <algorithm>
#include <cstdint>
#include <vector>

/// Starting points of wavefronts on bricks.
namespace seedwave::gpu {

/// Labels that are spread at once, with a plane of bits each.
struct LabelGroup {
  static constexpr int kMost = 16;
  int count = 0;
  std::uint16_t label[kMost] = {};

  /// Returns the label's plane; -1 if it belongs to another group.
  [[nodiscard]] SEEDWAVE_HD int plane_of(std::uint16_t wanted) const {
    for (int k = 0; k < count; ++k) {
      if (label[k] == wanted) return k;
    }
    return -1;
  }
  friend bool operator==(const LabelGroup& a, const LabelGroup& b) {
    return std::equal(a.label, a.label + a.count, b.label, b.label + b.count);
  }
};

[[nodiscard]] inline std::vector<LabelGroup> groups_of(const std::vector<std::uint16_t>& labels) {
  std::vector<LabelGroup> groups;
  for (const std::uint16_t label : labels) {
    if (groups.empty() || groups.back().count == LabelGroup::kMost) groups.emplace_back();
    groups.back().label[groups.back().count++] = label;
  }
  return groups;
}

/// Sets full strength at the seeds of one label, or of all.
struct StartStrength {
  std::uint16_t only;  // 0: all labels
  std::uint16_t* strength;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t label) const {
    if (only != 0 && only != label) return false;
    strength[bricks.cell_at(x, y, z)] = fuzzy::kFullStrength;
    return true;
  }
};
/// Sets the strength that is given in place of a label.
struct StartSource {
  std::uint16_t* strength;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t level) const {
    strength[bricks.cell_at(x, y, z)] = level;
    return true;
  }
};
/// Sets a seed's bit in its label's plane. kTie sets the bit in all planes, because several labels
/// met there.
struct StartBits {
  LabelGroup group;
  BitRows* planes;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t label) const {
    if (label != kTie) {
      const int plane = group.plane_of(label);
      if (plane >= 0) set(bricks, x, y, z, plane);
      return plane >= 0;
    }
    for (int plane = 0; plane < group.count; ++plane)
      set(bricks, x, y, z, plane);
    return true;
  }

 private:
  __device__ void set(const Bricks& bricks, int x, int y, int z, int plane) const {
    const int row = y % Bricks::kY;
    const int lane = z % Bricks::kZ * 4 + row / 4;
    BitRows* rows = planes + bit_rows_at(plane * bricks.count() + bricks.brick_of(x, y, z), lane);
    atomicOr(row % 4 < 2 ? &rows->x : &rows->y, 1U << (x % Bricks::kX + 16 * (row % 2)));
  }
};

/// Sets seeds and, if there are flags, flags their bricks. One thread per seed; all threads write
/// the same value to a flag.
template <typename Start>
__global__ void __launch_bounds__(kBlockSize)
    seed_kernel(const Seed* __restrict__ seeds, std::int64_t count, Start start, Bricks bricks,
                std::uint8_t* __restrict__ flags) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t row = seeds[i].offset / bricks.nx;
  const auto x = static_cast<int>(seeds[i].offset % bricks.nx);
  const auto y = static_cast<int>(row % bricks.ny);
  const auto z = static_cast<int>(row / bricks.ny);
  const bool set = start(bricks, x, y, z, seeds[i].label);
  if (set && flags != nullptr) flags[bricks.brick_of(x, y, z)] = 1;
}

/// Enqueues setting the seeds. flags: null, or one per brick.
template <typename Start>
void set_seeds(const DeviceSeeds& seeds, const Start& start, const Bricks& bricks,
               std::uint8_t* flags, const Stream& stream) {
  if (seeds.size() == 0) return;
  seed_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, stream.get()>>>(seeds.data(), seeds.size(),
                                                                         start, bricks, flags);
  check_launch(stream.get());
}

}  // namespace seedwave::gpu
