// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/distance_keys.cuh"

#include <cstdint>

/// The fast path of the distance transform's passes for short distances. Squares have 16 bits, two
/// per word, so one instruction adds a squared step to two of them and takes the minimum. A pass
/// tries it for its eight cells and falls back to full keys if one of them finds nothing near.
namespace seedwave::gpu::distance_passes {

/// Maximum distance, in blocks of eight cells, at which squares still fit, and the resulting limit:
/// no cell in a block beyond has a smaller square. The limit represents everything that is not
/// near.
inline constexpr int kMostAway = 21;
inline constexpr std::uint32_t kBeyond = (kMostAway * 8 + 1) * (kMostAway * 8 + 1);

/// Eight cells, with those at even places in the lower halves.
struct alignas(16) PairedKeys {
  std::uint32_t pair[4];

  [[nodiscard]] static __device__ PairedKeys of(const NearKey (&keys)[8]) {
    PairedKeys paired;
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      const std::uint32_t first = min(keys[2 * p].key, kBeyond);
      const std::uint32_t second = min(keys[2 * p + 1].key, kBeyond);
      paired.pair[p] = first | second << 16;
    }
    return paired;
  }
  __device__ void unpack(NearKey (&keys)[8]) const {
#pragma unroll
    for (int p = 0; p < 4; ++p) {
      keys[2 * p] = {pair[p] & 0xFFFFU};
      keys[2 * p + 1] = {pair[p] >> 16};
    }
  }
  [[nodiscard]] __device__ std::uint32_t highest() const {
    const std::uint32_t two = __vmaxu2(__vmaxu2(pair[0], pair[1]), __vmaxu2(pair[2], pair[3]));
    return max(two & 0xFFFFU, two >> 16);
  }
};

/// Squared steps to a block at this distance. Entry j - 2p + 6 has those from its cell j to the
/// cells 2p and 2p + 1 of this block.
struct PairedSteps {
  std::uint32_t step[16];
};
struct PairedStepTable {
  PairedSteps away[2 * kMostAway + 1];
};
[[nodiscard]] constexpr PairedStepTable paired_step_table() {
  PairedStepTable table{};
  for (int away = -kMostAway; away <= kMostAway; ++away) {
    for (int m = 0; m < 14; ++m) {
      const int step = away * 8 + m - 6;
      table.away[away + kMostAway].step[m] = static_cast<std::uint32_t>(step * step) |
                                             static_cast<std::uint32_t>((step - 1) * (step - 1))
                                                 << 16;
    }
  }
  return table;
}
// A key plus a step must not carry into the other half.
static_assert(kBeyond + (kMostAway * 8 + 7) * (kMostAway * 8 + 7) < 0x10000);
static __constant__ PairedStepTable kPairedSteps = paired_step_table();

/// Minimises eight cells with eight others, `away` blocks further on.
__device__ inline void take_paired(PairedKeys& best, const PairedKeys& others, int away) {
  const PairedSteps& steps = kPairedSteps.away[away + kMostAway];
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const std::uint32_t key = __byte_perm(others.pair[j / 2], 0, j % 2 == 0 ? 0x1010 : 0x3232);
#pragma unroll
    for (int p = 0; p < 4; ++p)
      best.pair[p] = __viaddmin_u16x2(key, steps.step[j - 2 * p + 6], best.pair[p]);
  }
}

}  // namespace seedwave::gpu::distance_passes
