// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/morphology/papers/wave_queue.h"

#include <cstdint>

/// A thread block's queue of cells in the three designs of wave_queue.h. All have the same calls,
/// made in this order by all threads of the block together:
///
///   begin(out, room)      begins a wave; its cells go to `out`, which holds `room`
///   make_room()           before each cell that is taken: one per thread
///   add(raised, cell)     once for each of the cell's neighbours
///   end_of_cell()
///   finish(dropped)       returns the number of cells in `out`; the block then reads what all its
///                         threads wrote. Adds to `dropped`, the same in all threads.
namespace seedwave::gpu {

inline constexpr int kWaveThreads = 256;
inline constexpr unsigned kWholeWarp = 0xFFFFFFFFU;
/// Number of a cell's neighbours, hence the maximum number of cells that it adds.
inline constexpr int kMostSteps = 8;
/// Size of a thread's own queue. A larger one needs fewer atomic additions, but leaves fewer blocks
/// on a multiprocessor.
inline constexpr int kOwnRoom = 12;
/// Maximum number of cells that a block adds between two calls of make_room(), and the size of the
/// block queue: twice that.
inline constexpr std::uint32_t kMostAtOnce = kWaveThreads * kOwnRoom;
inline constexpr std::uint32_t kBlockRoom = 2 * kMostAtOnce;

/// Writes directly to global memory.
class NaiveQueue {
 public:
  struct Shared {};

  /// tail: the block's, in global memory, initially 0.
  __device__ NaiveQueue(Shared& /*shared*/, std::uint32_t* tail) : tail_(tail) {}
  __device__ void begin(std::uint32_t* out, std::uint32_t room) {
    out_ = out;
    room_ = room;
  }
  __device__ void make_room() {}
  __device__ void add(bool raised, std::uint32_t cell) {
    if (!raised) return;
    const std::uint32_t place = atomicAdd(tail_, 1U);
    if (place < room_) out_[place] = cell;
  }
  __device__ void end_of_cell() {}
  __device__ std::uint32_t finish(std::uint64_t& dropped) {
    __syncthreads();
    const std::uint32_t added = __ldcg(tail_);
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(tail_, 0U);
    __syncthreads();
    const std::uint32_t kept = min(added, room_);
    dropped += added - kept;
    return kept;
  }

 private:
  std::uint32_t* tail_;
  std::uint32_t* out_ = nullptr;
  std::uint32_t room_ = 0;
};

/// The block queue in shared memory and its copying to global memory, common to the other two
/// designs.
class BlockLevel {
 public:
  struct Shared {
    std::uint32_t cells[kBlockRoom];
    std::uint32_t size;
  };

  __device__ explicit BlockLevel(Shared& shared) : shared_(shared) {
    if (threadIdx.x == 0) shared_.size = 0;
    __syncthreads();
  }
  __device__ void begin(std::uint32_t* out, std::uint32_t room) {
    out_ = out;
    room_ = room;
    written_ = 0;
  }
  /// Reserves places for `count` more cells of this warp. Returns the first place.
  __device__ std::uint32_t reserve(std::uint32_t count) {
    std::uint32_t first = 0;
    if (threadIdx.x % 32 == 0) first = atomicAdd(&shared_.size, count);
    first = __shfl_sync(kWholeWarp, first, 0);
    seen_ = first + count;
    return first;
  }
  __device__ void put(std::uint32_t place, std::uint32_t cell) { shared_.cells[place] = cell; }
  __device__ void make_room() {
    // The last warp that reserved has seen the whole length, so nobody needs to read it.
    if (__syncthreads_or(seen_ > kBlockRoom - kMostAtOnce ? 1 : 0) != 0) copy_out();
  }
  __device__ std::uint32_t finish(std::uint64_t& dropped) {
    __syncthreads();
    copy_out();
    dropped += dropped_;
    dropped_ = 0;
    return written_;
  }

 private:
  /// Copies contiguously; cells without room are dropped. All threads arrive here after a barrier.
  __device__ void copy_out() {
    const std::uint32_t size = shared_.size;
    const std::uint32_t kept = min(size, room_ - written_);
    for (std::uint32_t i = threadIdx.x; i < kept; i += kWaveThreads)
      out_[written_ + i] = shared_.cells[i];
    written_ += kept;
    dropped_ += size - kept;
    __syncthreads();
    if (threadIdx.x == 0) shared_.size = 0;
    __syncthreads();
    seen_ = 0;
  }

  Shared& shared_;
  std::uint32_t* out_ = nullptr;
  std::uint32_t room_ = 0;
  std::uint32_t written_ = 0;  // cells copied to out_; the same in all threads, as is dropped_
  std::uint32_t dropped_ = 0;
  std::uint32_t seen_ = 0;  // the block queue's length when this warp last reserved
};

/// One atomic addition per warp and neighbour. The place within it is the number of added cells in
/// lower lanes.
class PrefixSumQueue {
 public:
  struct Shared {
    BlockLevel::Shared block;
  };

  __device__ PrefixSumQueue(Shared& shared, std::uint32_t* /*tail*/) : block_(shared.block) {}
  __device__ void begin(std::uint32_t* out, std::uint32_t room) { block_.begin(out, room); }
  __device__ void make_room() { block_.make_room(); }
  __device__ void add(bool raised, std::uint32_t cell) {
    const unsigned lanes = __ballot_sync(kWholeWarp, raised);
    if (lanes == 0) return;
    const std::uint32_t first = block_.reserve(static_cast<std::uint32_t>(__popc(lanes)));
    const unsigned before = lanes & ((1U << (threadIdx.x % 32)) - 1U);
    if (raised) block_.put(first + static_cast<std::uint32_t>(__popc(before)), cell);
  }
  __device__ void end_of_cell() {}
  __device__ std::uint32_t finish(std::uint64_t& dropped) { return block_.finish(dropped); }

 private:
  BlockLevel block_;
};

/// Fills a thread's own queue first. When the fullest one in a warp could not take another cell's
/// neighbours, the warp empties all of its queues. It uses a prefix sum over their lengths and one
/// atomic addition.
class PerThreadQueue {
 public:
  struct Shared {
    BlockLevel::Shared block;
    std::uint32_t own[kOwnRoom][kWaveThreads];
  };

  __device__ PerThreadQueue(Shared& shared, std::uint32_t* /*tail*/)
      : block_(shared.block), own_(shared.own) {}
  __device__ void begin(std::uint32_t* out, std::uint32_t room) { block_.begin(out, room); }
  __device__ void make_room() { block_.make_room(); }
  __device__ void add(bool raised, std::uint32_t cell) {
    if (raised) own_[length_++][threadIdx.x] = cell;
  }
  __device__ void end_of_cell() {
    if (__any_sync(kWholeWarp, length_ > kOwnRoom - kMostSteps)) empty_own();
  }
  __device__ std::uint32_t finish(std::uint64_t& dropped) {
    if (__any_sync(kWholeWarp, length_ > 0)) empty_own();
    return block_.finish(dropped);
  }

 private:
  __device__ void empty_own() {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int up_to_here = length_;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int before = __shfl_up_sync(kWholeWarp, up_to_here, step);
      if (lane >= step) up_to_here += before;
    }
    const int all = __shfl_sync(kWholeWarp, up_to_here, 31);
    const std::uint32_t first = block_.reserve(static_cast<std::uint32_t>(all)) +
                                static_cast<std::uint32_t>(up_to_here - length_);
    for (int i = 0; i < length_; ++i)
      block_.put(first + static_cast<std::uint32_t>(i), own_[i][threadIdx.x]);
    length_ = 0;
  }

  BlockLevel block_;
  std::uint32_t (*own_)[kWaveThreads];
  int length_ = 0;
};

}  // namespace seedwave::gpu
