// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/texture/lag_lists.cuh"
#include "gpu/texture/phase_bits.cuh"

#include <cstdint>

/// The starting values of `box`, counted in words of bits: sums of features in the column before
/// each block, and the differences from window to window in the first row of each segment.
namespace seedwave::gpu::texture {

/// The bits of one row or column, which is compared with many others.
template <int words>
class OwnBits {
 public:
  __device__ OwnBits(const std::uint32_t* own, int stride)
      : own_(own), stride_(stride), word_(own[0]) {}

  /// Returns the number of bits in common with `other`, whose bits are `by` places ahead.
  __device__ int with_later(const std::uint32_t* other, int by) const {
    if constexpr (words == 1) return __popc(word_ & (other[0] >> by));
    return common_bits<words>(own_, other, stride_, by);
  }
  /// Returns the number of bits in common with `other`, whose bits are `by` places back.
  __device__ int with_earlier(const std::uint32_t* other, int by) const {
    if constexpr (words == 1) return __popc(other[0] & (word_ >> by));
    return common_bits<words>(other, own_, stride_, by);
  }

 private:
  const std::uint32_t* own_;
  int stride_;
  std::uint32_t word_;
};

/// Computes the change in the sums of the window before each block with each step down, starting
/// `window` rows above the image: [block][phase][radius][step].
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
  // Above the image a window has no row that could leave.
  const bool has_rows = step >= window;
  const OwnBits<words> own_leaves(leaves, bits.stride);
  const OwnBits<words> own_enters(enters, bits.stride);
  changes[((std::int64_t{block} * phases + phase) * lists.radii + radius) * steps + step] =
      lists.sum(radius, [&](int dx, int dy) {
        const int in = dx >= 0 ? own_enters.with_earlier(enters - dy, dx)
                               : own_enters.with_later(enters - dy, -dx);
        if (!has_rows) return in;
        const int out = dx >= 0 ? own_leaves.with_later(leaves + dy, dx)
                                : own_leaves.with_earlier(leaves + dy, -dx);
        return in - out;
      });
}

/// Computes prefix sums of the changes: [block][phase][radius][row]. One block of threads per
/// sequence.
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

/// Number of adjacent windows over which differences are summed; the rows of a matrix sum them up.
inline constexpr int kTogether = 8;

/// Computes, for each segment's first row, the differences of sums from window to window, summed
/// over kTogether windows: [segment][phase][radius][place].
template <int words>
__global__ void slopes_kernel(const BitWords bits, const LagLists lists, int window, int phases,
                              int places, std::int64_t* slopes) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (place >= places) return;  // a whole number of blocks of windows, hence of warps
  const int radius = static_cast<int>(blockIdx.y) % lists.radii;
  const int phase = static_cast<int>(blockIdx.y) / lists.radii;
  const auto segment = static_cast<int>(blockIdx.z);
  const std::uint32_t* const leaves = bits.of(segment, phases, phase) + place;
  const std::uint32_t* const enters = leaves + window;
  const OwnBits<words> own_leaves(leaves, bits.stride);
  const OwnBits<words> own_enters(enters, bits.stride);
  std::int64_t sum = lists.sum(radius, [&](int dx, int dy) {
    // The first cell is the upper one. The sign of dx determines which of the two is in the moving
    // column.
    return dx >= 0
               ? own_enters.with_earlier(enters - dx, dy) - own_leaves.with_later(leaves + dx, dy)
               : own_enters.with_later(enters + dx, dy) - own_leaves.with_earlier(leaves - dx, dy);
  });
  for (int by = 1; by < kTogether; by *= 2) {
    const std::int64_t left = __shfl_up_sync(~0U, sum, by, kTogether);
    if (threadIdx.x % kTogether >= by) sum += left;
  }
  slopes[((std::int64_t{segment} * phases + phase) * lists.radii + radius) * places + place] = sum;
}

}  // namespace seedwave::gpu::texture
