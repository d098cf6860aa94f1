// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/buffer.h"
#include "gpu/device/launch.h"
#include "gpu/morphology/papers/wave_queue.h"
#include "gpu/wavefront/engine.cuh"

#include <algorithm>
#include <cstdint>

/// Irregular wavefront propagation by queues, Teodoro et al. 2013, Algorithm 4. The active cells
/// are dealt to thread blocks. Each block continues from its own cells, wave by wave, independently
/// of the others. Cells without room in a block's queue are dropped; then the whole is repeated
/// from the current state.
///
/// A Wave is a value that can be passed to a kernel:
///   kSteps                           neighbours of a cell, at most kMostSteps
///   From                             data of a cell, read once for all its neighbours
///   look(cell) -> From
///   would_pass(from, step)           whether that neighbour gains
///   pass(from, step, to) -> bool     raises it atomically. Returns true if this call raised it;
///                                    `to` is then the neighbour.
/// Values only rise, or only fall, so this ends. Cells are read past the L1 cache and changed by
/// atomic operations.
namespace seedwave::gpu {

// A thread block's queue of cells in the three designs of wave_queue.h. All have the same calls,
// made in this order by all threads of the block together:
//
//   begin(out, room)      begins a wave; its cells go to `out`, which holds `room`
//   make_room()           before each cell that is taken: one per thread
//   add(raised, cell)     once for each of the cell's neighbours
//   end_of_cell()
//   finish(dropped)       returns the number of cells in `out`; the block then reads what all its
//                         threads wrote. Adds to `dropped`, the same in all threads.

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

/// A block's queues between launches.
struct BlockWave {
  std::uint32_t size;  // of the queue that is read next
  std::uint32_t in;    // index of that queue
  std::uint32_t tail;  // used by NaiveQueue
};

struct WaveCounters {
  unsigned long long active;   // found before the first wave
  unsigned long long dealt;    // number dealt so far
  unsigned long long taken;    // from queues
  unsigned long long dropped;  // for lack of room
  unsigned open;               // blocks with cells left at a launch's end
};

struct WaveQueues {
  std::uint32_t* cells;  // two queues per block
  std::uint32_t room;    // per queue
  BlockWave* waves;
  WaveCounters* counters;

  [[nodiscard]] __device__ std::uint32_t* of(unsigned block, std::uint32_t which) const {
    return cells + (2 * std::uint64_t{block} + which) * room;
  }
};

template <typename Wave>
__device__ bool is_active(const Wave& wave, std::uint32_t cell) {
  const typename Wave::From from = wave.look(cell);
  bool active = false;
#pragma unroll
  for (int step = 0; step < Wave::kSteps; ++step)
    active = active || wave.would_pass(from, step);
  return active;
}

/// Counts the active cells. One thread per cell; no races: one atomic addition per warp.
template <typename Wave>
__global__ void __launch_bounds__(kBlockSize)
    count_active_kernel(const Wave wave, std::int64_t cells, WaveCounters* counters) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  const bool active = i < cells && is_active(wave, static_cast<std::uint32_t>(i));
  const unsigned lanes = __ballot_sync(kWholeWarp, active);
  if (lanes == 0 || threadIdx.x % 32 != 0) return;
  atomicAdd(&counters->active, static_cast<unsigned long long>(__popc(lanes)));
}

/// Deals the active cells to the blocks, equally and approximately in order. One thread per cell;
/// one atomic addition per warp assigns the places.
template <typename Wave>
__global__ void __launch_bounds__(kBlockSize)
    deal_kernel(const Wave wave, std::int64_t cells, const WaveQueues queues, unsigned blocks) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  const bool active = i < cells && is_active(wave, static_cast<std::uint32_t>(i));
  const unsigned lanes = __ballot_sync(kWholeWarp, active);
  if (lanes == 0) return;
  unsigned long long place = 0;
  if (threadIdx.x % 32 == 0) {
    place = atomicAdd(&queues.counters->dealt, static_cast<unsigned long long>(__popc(lanes)));
  }
  place = __shfl_sync(kWholeWarp, place, 0);
  if (!active) return;
  place += static_cast<unsigned>(__popc(lanes & ((1U << (threadIdx.x % 32)) - 1U)));
  const unsigned long long each = (queues.counters->active + blocks - 1) / blocks;
  const unsigned long long slot = place % each;
  if (slot < queues.room) {
    queues.of(static_cast<unsigned>(place / each), 0)[slot] = static_cast<std::uint32_t>(i);
  } else {
    atomicAdd(&queues.counters->dropped, 1ULL);
  }
}

/// Sets the lengths of the dealt queues. One thread per block of the waves; no races.
__global__ inline void open_waves_kernel(const WaveQueues queues, unsigned blocks) {
  const unsigned block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block >= blocks) return;
  const unsigned long long active = queues.counters->active;
  const unsigned long long each = (active + blocks - 1) / blocks;
  const unsigned long long first = each * block;
  const unsigned long long own = first < active ? min(each, active - first) : 0ULL;
  const auto room = static_cast<unsigned long long>(queues.room);
  queues.waves[block] = {static_cast<std::uint32_t>(min(own, room)), 0, 0};
}

/// Spreads from a block's own cells, wave by wave, until it has none or the time is up. A block
/// owns its two queues, which swap after each wave; a thread takes every 256th cell of a wave.
/// Shared memory: Queue::Shared, 36 KB with queues of the threads' own. Races: only on cells, which
/// are raised atomically. If a value was read too early, the thread that stored the better one
/// raises the neighbours.
template <typename Wave, typename Queue>
__global__ void __launch_bounds__(kWaveThreads)
    spread_kernel(const Wave wave, const WaveQueues queues, std::uint64_t budget_ns) {
  __shared__ typename Queue::Shared shared;
  BlockWave& own = queues.waves[blockIdx.x];
  std::uint32_t size = own.size;
  std::uint32_t in = own.in;
  if (size == 0) return;
  Queue out(shared, &own.tail);
  const std::uint64_t deadline = now_ns() + budget_ns;
  std::uint64_t taken = 0;
  std::uint64_t dropped = 0;
  bool late = false;
  while (size > 0 && !late) {
    const std::uint32_t* const cells = queues.of(blockIdx.x, in);
    out.begin(queues.of(blockIdx.x, 1 - in), queues.room);
    for (std::uint32_t base = 0; base < size; base += kWaveThreads) {
      out.make_room();
      const bool has_cell = base + threadIdx.x < size;
      typename Wave::From from{};
      if (has_cell) from = wave.look(cells[base + threadIdx.x]);
#pragma unroll
      for (int step = 0; step < Wave::kSteps; ++step) {
        std::uint32_t to = 0;
        const bool raised = has_cell && wave.pass(from, step, to);
        out.add(raised, to);
      }
      out.end_of_cell();
    }
    taken += size;
    size = out.finish(dropped);
    in = 1 - in;
    late = __syncthreads_or(threadIdx.x == 0 && now_ns() > deadline ? 1 : 0) != 0;
  }
  if (threadIdx.x != 0) return;
  own.size = size;
  own.in = in;
  atomicAdd(&queues.counters->taken, static_cast<unsigned long long>(taken));
  if (dropped != 0) atomicAdd(&queues.counters->dropped, static_cast<unsigned long long>(dropped));
  if (size != 0) atomicAdd(&queues.counters->open, 1U);
}

/// The host's side: counts, deals, spreads, and repeats for dropped cells.
template <typename Wave>
class Waves {
 public:
  Waves(const Wave& wave, std::int64_t cells, const QueueSettings& settings, const Stream& stream)
      : wave_(wave),
        cells_(cells),
        settings_(settings),
        stream_(stream),
        blocks_(settings.blocks > 0 ? settings.blocks : blocks_of_device()),
        counters_(1, stream),
        waves_(blocks_, stream) {}

  /// Synchronises the stream. Throws Cancelled.
  QueueUse run(Context& context) {
    QueueUse use;
    count();
    look();
    use.initial = static_cast<std::int64_t>(seen_.active);
    if (use.initial == 0) return use;
    const std::int64_t room = room_for(use.initial);
    DeviceBuffer<std::uint32_t> places(2 * blocks_ * room, stream_);
    const WaveQueues queues{places.data(), static_cast<std::uint32_t>(room), waves_.data(),
                            counters_.data()};
    do {
      if (use.runs > 0) count();
      spread(queues, context);
      ++use.runs;
      use.total += static_cast<std::int64_t>(seen_.taken);
      use.dropped += static_cast<std::int64_t>(seen_.dropped);
    } while (seen_.dropped != 0);
    return use;
  }

 private:
  static constexpr std::int64_t kFewestPlaces = 4096;  // per block
  static constexpr std::int64_t kMostPlaces = std::int64_t{1} << 31;

  [[nodiscard]] int blocks_of_device() const {
    int device = 0;
    int multiprocessors = 0;
    int each = settings_.blocks_per_multiprocessor;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    if (each == 0) {
      CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &each, spread_kernel<Wave, PerThreadQueue>, kWaveThreads, 0));
    }
    return std::max(1, each * multiprocessors);
  }
  /// Returns the room of one block's queue.
  [[nodiscard]] std::int64_t room_for(std::int64_t initial) const {
    const std::int64_t all = settings_.room > 0 ? settings_.room : initial + initial / 10;
    const std::int64_t fewest = settings_.room > 0 ? 1 : kFewestPlaces;
    return std::min(std::max((all + blocks_ - 1) / blocks_, fewest), kMostPlaces);
  }
  void count() {
    counters_.fill_bytes(0, stream_);
    count_active_kernel<<<blocks_for(cells_), kBlockSize, 0, stream_.get()>>>(wave_, cells_,
                                                                              counters_.data());
    check_launch(stream_.get());
  }
  void look() {
    counters_.copy_to({&seen_, 1}, stream_);
    stream_.synchronize();
  }
  void spread(const WaveQueues& queues, Context& context) {
    const auto blocks = static_cast<unsigned>(blocks_);
    deal_kernel<<<blocks_for(cells_), kBlockSize, 0, stream_.get()>>>(wave_, cells_, queues,
                                                                      blocks);
    check_launch(stream_.get());
    open_waves_kernel<<<blocks_for(blocks_), kBlockSize, 0, stream_.get()>>>(queues, blocks);
    check_launch(stream_.get());
    do {
      context.checkpoint(0.5);
      CUDA_CHECK(cudaMemsetAsync(&counters_.data()->open, 0, sizeof(unsigned), stream_.get()));
      launch(queues, blocks);
      look();
    } while (seen_.open != 0);
  }
  void launch(const WaveQueues& queues, unsigned blocks) {
    switch (settings_.design) {
      case QueueDesign::Naive:
        spread_kernel<Wave, NaiveQueue>
            <<<blocks, kWaveThreads, 0, stream_.get()>>>(wave_, queues, kLaunchBudgetNs);
        break;
      case QueueDesign::PrefixSum:
        spread_kernel<Wave, PrefixSumQueue>
            <<<blocks, kWaveThreads, 0, stream_.get()>>>(wave_, queues, kLaunchBudgetNs);
        break;
      case QueueDesign::PerThread:
        spread_kernel<Wave, PerThreadQueue>
            <<<blocks, kWaveThreads, 0, stream_.get()>>>(wave_, queues, kLaunchBudgetNs);
        break;
    }
    check_launch(stream_.get());
  }

  Wave wave_;
  std::int64_t cells_;
  QueueSettings settings_;
  Stream stream_;
  std::int64_t blocks_;
  DeviceBuffer<WaveCounters> counters_;
  DeviceBuffer<BlockWave> waves_;
  WaveCounters seen_{};  // as last seen by the host
};

}  // namespace seedwave::gpu
