// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/texture/lag_lists.cuh"
#include "gpu/texture/phase_bits.cuh"

#include <cstdint>

/// Where `box` begins: sums of features in the column before each block, and the differences from
/// window to window in the first row of each segment, counted in words of bits.
namespace seedwave::gpu::texture {

/// The same at a lag of either sign.
template <int words>
__device__ int pairs_along(const std::uint32_t* first, const std::uint32_t* second, int stride,
                           int lag) {
  return lag >= 0 ? common_bits<words>(first, second, stride, lag)
                  : common_bits<words>(second, first, stride, -lag);
}

/// By how much the sums of the window before each block change with each step down, from `window`
/// rows above the picture on: [block][phase][radius][step].
template <int words>
__global__ void steps_down_kernel(const BitWords bits, const LagLists lists, int window, int phases,
                                  int steps, std::int64_t* changes) {
  const int step = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (step >= steps) return;
  const int radius = static_cast<int>(blockIdx.y) % lists.radii;
  const int phase = static_cast<int>(blockIdx.y) / lists.radii;
  const auto block = static_cast<int>(blockIdx.z);
  const std::uint32_t* const leaves = bits.of(block, phases, phase) + step;
  const std::uint32_t* const enters = leaves + window;
  // Above its picture a window has nothing that could leave.
  const bool has_rows = step >= window;
  changes[((std::int64_t{block} * phases + phase) * lists.radii + radius) * steps + step] =
      lists.sum(radius, [&](int dx, int dy) {
        const int in = pairs_along<words>(enters - dy, enters, bits.stride, dx);
        const int out = has_rows ? pairs_along<words>(leaves, leaves + dy, bits.stride, dx) : 0;
        return in - out;
      });
}

/// Changes summed up: [block][phase][radius][row]. A block of threads a sequence.
static __global__ void sum_down_kernel(const std::int64_t* changes, int window, int rows,
                                       std::int64_t* sums) {
  __shared__ std::int64_t of_warps[32];
  const int steps = window + rows - 1;
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t* const from = changes + std::int64_t{blockIdx.x} * steps;
  std::int64_t* const to = sums + std::int64_t{blockIdx.x} * rows;
  std::int64_t before = 0;
  for (int first = 0; first < steps; first += static_cast<int>(blockDim.x)) {
    const int step = first + thread;
    std::int64_t sum = step < steps ? from[step] : 0;
    for (int by = 1; by < 32; by *= 2) {
      const std::int64_t left = __shfl_up_sync(~0U, sum, by);
      if (thread % 32 >= by) sum += left;
    }
    if (thread % 32 == 31) of_warps[thread / 32] = sum;
    __syncthreads();
    std::int64_t of_block = 0;
    for (int warp = 0; warp < static_cast<int>(blockDim.x) / 32; ++warp) {
      if (warp < thread / 32) sum += of_warps[warp];
      of_block += of_warps[warp];
    }
    const int row = step - window + 1;
    if (row >= 0 && step < steps) to[row] = before + sum;
    before += of_block;
    __syncthreads();
  }
}

/// Windows in whose differences the first one's begins: what a matrix's rows sum up.
inline constexpr int kTogether = 8;

/// Of each segment's first row the differences of sums from window to window, summed up over
/// kTogether of them: [segment][phase][radius][place].
template <int words>
__global__ void slopes_kernel(const BitWords bits, const LagLists lists, int window, int phases,
                              int places, std::int64_t* slopes) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (place >= places) return;  // a whole number of blocks of windows, and so of warps
  const int radius = static_cast<int>(blockIdx.y) % lists.radii;
  const int phase = static_cast<int>(blockIdx.y) / lists.radii;
  const auto segment = static_cast<int>(blockIdx.z);
  const std::uint32_t* const leaves = bits.of(segment, phases, phase) + place;
  const std::uint32_t* const enters = leaves + window;
  std::int64_t sum = lists.sum(radius, [&](int dx, int dy) {
    // The first cell is the upper one; which of both is in the column that moves depends on dx.
    const auto pairs = [&](const std::uint32_t* first) {
      return common_bits<words>(first, first + dx, bits.stride, dy);
    };
    return dx >= 0 ? pairs(enters - dx) - pairs(leaves) : pairs(enters) - pairs(leaves - dx);
  });
  for (int by = 1; by < kTogether; by *= 2) {
    const std::int64_t left = __shfl_up_sync(~0U, sum, by, kTogether);
    if (threadIdx.x % kTogether >= by) sum += left;
  }
  slopes[((std::int64_t{segment} * phases + phase) * lists.radii + radius) * places + place] = sum;
}

}  // namespace seedwave::gpu::texture
