// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/border/minimum_cut.h"
#include "core/parallel/context.h"
#include "gpu/border/band.cuh"
#include "gpu/device/buffer.h"
#include "gpu/device/stream.h"

#include <cooperative_groups.h>
#include <cstdint>

/// The minimum cuts of the cells whose sides are not known, by pushing flow (Goldberg and Tarjan
/// 1988), all cells at once.
///
/// The flow that the source could send at most waits in the cells as their excess; it is pushed
/// towards the sink along edges with residual capacity, from each cell to a lower one. Heights are
/// the numbers of edges to the sink, found by waves from it. Once no cell with excess can reach the
/// sink, the flow that has arrived is the largest, and both sets of a minimum cut follow without
/// sending the rest back:
/// - The cells that can reach the sink are the smallest sink set. That depends on the flow across
///   the cut alone.
/// - The cells that can be reached from excess are the smallest source set. Let A be these cells.
///   No residual edge leaves A, so no flow enters it from cells outside: the flow into A's excess
///   has come from the source without leaving A. Sending it back changes residual edges inside A
///   alone, so that afterwards too none leaves A: the source reaches A at most. And it reaches all
///   of A. It reaches each cell with excess, along the path by which that flow had come. If it did
///   not reach a cell b of A on a residual edge from a, which it reaches, then that edge would have
///   lost its capacity to flow sent back from a over b; but then the source reaches b along that
///   flow's path.
namespace seedwave::gpu {

/// The network of the open cells, one after the other in each array.
struct CutNetwork {
  static constexpr std::int32_t kNever = 0x7FFFFFFF;

  std::int32_t count;
  std::int32_t* excess;
  std::int32_t* to_sink;          // residual capacity
  std::int32_t* height;           // kNever: cannot reach the sink
  std::int32_t* residual;         // by direction: residual[direction * count + i]
  const std::int32_t* neighbour;  // the same; CutCell::kNone
  std::int32_t* flags;            // three, 0 at first

  [[nodiscard]] __device__ std::int64_t edge(int direction, std::int32_t i) const {
    return std::int64_t{direction} * count + i;
  }
};

/// Reads past the first-level cache, which does not see what other blocks write.
[[nodiscard]] __device__ inline std::int32_t fresh(const std::int32_t* value) {
  return *static_cast<const volatile std::int32_t*>(value);
}

/// All threads of a launch on a network. Each block owns some cells, adjacent ones as far as
/// possible.
class CutThreads {
 public:
  __device__ explicit CutThreads(const CutNetwork& network)
      : network_(network), grid_(cooperative_groups::this_grid()) {
    const auto blocks = static_cast<std::int32_t>(gridDim.x);
    const std::int32_t each = (network.count + blocks - 1) / blocks;
    begin_ = min(network.count, static_cast<std::int32_t>(blockIdx.x) * each);
    end_ = min(network.count, begin_ + each);
  }

  template <typename Body>
  __device__ void for_own(const Body& body) const {
    for (std::int32_t i = begin_ + static_cast<std::int32_t>(threadIdx.x); i < end_;
         i += static_cast<std::int32_t>(blockDim.x))
      body(i);
  }
  __device__ void wait_for_all() { grid_.sync(); }
  /// Returns whether any thread says so. Waits for all.
  __device__ bool any(bool own) {
    const int turn = turn_;
    turn_ = (turn_ + 1) % 3;
    if (__syncthreads_or(own ? 1 : 0) != 0 && threadIdx.x == 0) atomicOr(network_.flags + turn, 1);
    grid_.sync();
    const bool result = fresh(network_.flags + turn) != 0;
    // Everyone has read the one before, and nobody writes to it before the next turn's wait.
    if (blockIdx.x == 0 && threadIdx.x == 0) network_.flags[(turn + 2) % 3] = 0;
    return result;
  }

 private:
  const CutNetwork& network_;
  cooperative_groups::grid_group grid_;
  std::int32_t begin_ = 0;
  std::int32_t end_ = 0;
  int turn_ = 0;
};

/// Sweeps of a block over its own cells between two waits for all blocks.
inline constexpr int kSweepsOfWaves = 8;
inline constexpr int kSweepsOfPushes = 4;
/// Turns of pushes and new heights between two waves from the sink.
inline constexpr int kTurns = 8;
/// Waves from the sink in one launch: some ms, for the display's watchdog and to cancel.
inline constexpr int kRoundsPerLaunch = 64;

/// Finds all heights by waves from the sink.
__device__ inline void find_heights(const CutNetwork& network, CutThreads& threads) {
  threads.for_own([&](std::int32_t i) {
    network.height[i] = fresh(network.to_sink + i) > 0 ? 1 : CutNetwork::kNever;
  });
  threads.wait_for_all();
  bool changes = true;
  while (changes) {
    bool changed = false;
    for (int sweep = 0; sweep < kSweepsOfWaves; ++sweep) {
      bool now = false;
      threads.for_own([&](std::int32_t i) {
        const std::int32_t before = fresh(network.height + i);
        if (before == 1) return;
        std::int32_t least = CutNetwork::kNever;
        for (int direction = 0; direction < 6; ++direction) {
          if (fresh(network.residual + network.edge(direction, i)) == 0) continue;
          least = min(least, fresh(network.height + network.neighbour[network.edge(direction, i)]));
        }
        if (least == CutNetwork::kNever || least + 1 >= before) return;
        network.height[i] = least + 1;
        now = true;
      });
      changed = changed || now;
      if (__syncthreads_or(now ? 1 : 0) == 0) break;
    }
    changes = threads.any(changed);
  }
}

/// Pushes a cell's excess to the sink and to lower cells. Threads add to the excess and the
/// residual capacities of other cells by atomics; a cell's own thread alone takes from them, so
/// what it has read is there.
__device__ inline void push_down(const CutNetwork& network, std::int32_t i) {
  std::int32_t excess = fresh(network.excess + i);
  if (excess == 0) return;
  const std::int32_t height = fresh(network.height + i);
  if (height == CutNetwork::kNever) return;
  const std::int32_t before = excess;
  const std::int32_t to_sink = fresh(network.to_sink + i);
  if (to_sink > 0) {
    const std::int32_t amount = min(excess, to_sink);
    network.to_sink[i] = to_sink - amount;
    excess -= amount;
  }
  for (int direction = 0; direction < 6 && excess > 0; ++direction) {
    const std::int64_t edge = network.edge(direction, i);
    const std::int32_t residual = fresh(network.residual + edge);
    if (residual == 0) continue;
    const std::int32_t to = network.neighbour[edge];
    if (fresh(network.height + to) != height - 1) continue;
    const std::int32_t amount = min(excess, residual);
    atomicSub(network.residual + edge, amount);
    atomicAdd(network.residual + network.edge(direction ^ 1, to), amount);
    atomicAdd(network.excess + to, amount);
    excess -= amount;
  }
  if (excess != before) atomicSub(network.excess + i, before - excess);
}

/// Raises a cell with excess above its lowest neighbour in reach.
__device__ inline void raise(const CutNetwork& network, std::int32_t i) {
  if (fresh(network.excess + i) == 0) return;
  const std::int32_t height = fresh(network.height + i);
  if (height == CutNetwork::kNever || fresh(network.to_sink + i) > 0) return;
  std::int32_t least = CutNetwork::kNever;
  for (int direction = 0; direction < 6; ++direction) {
    const std::int64_t edge = network.edge(direction, i);
    if (fresh(network.residual + edge) > 0)
      least = min(least, fresh(network.height + network.neighbour[edge]));
  }
  network.height[i] = least == CutNetwork::kNever ? least : max(height, least + 1);
}

/// Pushes until no excess can reach the sink; heights then tell which cells can. Returns false if
/// it has not come so far.
__device__ inline bool push_all(const CutNetwork& network, CutThreads& threads) {
  for (int round = 0; round < kRoundsPerLaunch; ++round) {
    find_heights(network, threads);
    bool is_active = false;
    threads.for_own([&](std::int32_t i) {
      is_active = is_active || (fresh(network.excess + i) > 0 &&
                                fresh(network.height + i) != CutNetwork::kNever);
    });
    if (!threads.any(is_active)) return true;
    // Heights stand while flow is pushed, and flow while they rise.
    for (int turn = 0; turn < kTurns; ++turn) {
      for (int sweep = 0; sweep < kSweepsOfPushes; ++sweep) {
        threads.for_own([&](std::int32_t i) { push_down(network, i); });
        __syncthreads();
      }
      threads.wait_for_all();
      if (turn + 1 == kTurns) break;
      threads.for_own([&](std::int32_t i) { raise(network, i); });
      threads.wait_for_all();
    }
  }
  return false;
}

/// Marks the cells that excess reaches, in `excess`.
__device__ inline void mark_sources(const CutNetwork& network, CutThreads& threads) {
  bool changes = true;
  while (changes) {
    bool changed = false;
    for (int sweep = 0; sweep < kSweepsOfWaves; ++sweep) {
      bool now = false;
      threads.for_own([&](std::int32_t i) {
        if (fresh(network.excess + i) > 0) return;
        for (int direction = 0; direction < 6; ++direction) {
          const std::int32_t from = network.neighbour[network.edge(direction, i)];
          if (from == border::CutCell::kNone || fresh(network.excess + from) == 0) continue;
          if (fresh(network.residual + network.edge(direction ^ 1, from)) == 0) continue;
          network.excess[i] = 1;
          now = true;
          return;
        }
      });
      changed = changed || now;
      if (__syncthreads_or(now ? 1 : 0) == 0) break;
    }
    changes = threads.any(changed);
  }
}

/// Threads of a block that cuts.
inline constexpr unsigned kCutBlock = 512;

/// Finds the sides of the open cells and sets `is_done`; without it, the next launch continues. A
/// cooperative launch; each block owns some cells, and waits for all others between the steps. Flow
/// moves by atomics; every order gives the same sets.
static __global__ void __launch_bounds__(kCutBlock)
    cut_kernel(const CutNetwork network, const CellCode* __restrict__ cells,
               SideWord* __restrict__ sides, std::int32_t* is_done) {
  CutThreads threads(network);
  if (!push_all(network, threads)) return;
  if (blockIdx.x == 0 && threadIdx.x == 0) *is_done = 1;
  mark_sources(network, threads);
  threads.for_own([&](std::int32_t i) {
    const bool is_source = fresh(network.excess + i) > 0;
    const bool is_sink = fresh(network.height + i) != CutNetwork::kNever;
    if (!is_source && !is_sink) return;
    const int bit = static_cast<int>(cells[i] & 31U);
    SideWord* const word = sides + (cells[i] >> 5);
    atomicAnd(word, ~((SideWord{1} << (32 + bit)) | SideWord{1} << bit));
    if (is_source) atomicOr(word, SideWord{1} << bit);
  });
}

/// A network in device memory.
class NetworkOnDevice {
 public:
  NetworkOnDevice(std::int32_t count, const Stream& stream)
      : count_(count),
        stream_(stream),
        values_(std::int64_t{count} * kArrays, stream),
        cells_(count, stream),
        flags_(4, stream) {}

  [[nodiscard]] CutNetwork view() {
    return {.count = count_,
            .excess = array(0),
            .to_sink = array(1),
            .height = array(2),
            .residual = array(3),
            .neighbour = neighbours(),
            .flags = flags_.data()};
  }
  /// To be written, as CutNetwork::neighbour and the cells' codes.
  [[nodiscard]] std::int32_t* neighbours() { return array(9); }
  [[nodiscard]] CellCode* cells() { return cells_.data(); }

  /// Finds the sides of its cells. Returns when they are known. Throws Cancelled.
  void cut(SideWord* sides, Context& context) {
    std::array<std::int32_t, 4> read{};
    do {
      flags_.fill_bytes(0, stream_);
      launch(sides);
      flags_.copy_to(read, stream_);
      stream_.synchronize();
      context.checkpoint(0.5);
    } while (read[3] == 0);
  }

 private:
  static constexpr std::int64_t kArrays = 15;

  [[nodiscard]] std::int32_t* array(std::int64_t number) {
    return values_.data() + number * count_;
  }

  /// Launches as many blocks as have cells and can all be resident.
  void launch(SideWord* sides) {
    int device = 0;
    int processors = 0;
    int each = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    constexpr auto kBlock = static_cast<std::int32_t>(kCutBlock);
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, cut_kernel, kBlock, 0));
    const int wanted = (count_ + kBlock - 1) / kBlock;
    const int blocks = std::max(1, std::min(wanted, processors * each));
    CutNetwork network = view();
    const CellCode* cells = cells_.data();
    std::int32_t* is_done = flags_.data() + 3;
    std::array<void*, 4> arguments{&network, &cells, &sides, &is_done};
    CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(cut_kernel), dim3(blocks),
                                           dim3(kCutBlock), arguments.data(), 0, stream_.get()));
    check_launch(stream_.get());
  }

  std::int32_t count_;
  Stream stream_;
  DeviceBuffer<std::int32_t> values_;
  DeviceBuffer<CellCode> cells_;
  DeviceBuffer<std::int32_t> flags_;  // those of CutNetwork, and whether the cut is done
};

/// Decides on the cells whose own capacity outweighs that of their edges to open cells; the others
/// stay in the list. One thread per cell. Threads decide while others look; every order is right,
/// since a cell that has been decided on has this side in every minimum cut.
static __global__ void __launch_bounds__(kBlockSize)
    settle_kernel(const OpenCell* __restrict__ before, const std::uint32_t* __restrict__ count,
                  const CutView cut, SideWord* sides, OpenCell* __restrict__ after,
                  std::uint32_t* __restrict__ counter) {
  const std::uint32_t number = *count;
  const std::uint32_t threads = gridDim.x * blockDim.x;
  for (std::uint32_t first = blockIdx.x * blockDim.x; first < number; first += threads) {
    const std::uint32_t k = first + threadIdx.x;
    OpenCell open{};
    bool stays = false;
    if (k < number) {
      open = before[k];
      const PlacedCell cell(cut.words, open.code);
      const std::int64_t offset = cell.offset(cut.words);
      const std::int32_t step = cut.step_at(offset);
      std::int32_t terminal = open.terminal;
      std::int32_t edges = 0;
      for (int direction = 0; direction < 6; ++direction) {
        const FaceNeighbour to = face_neighbour(cut.words, cell, direction);
        if (!to.exists) continue;
        const std::int32_t capacity =
            cut.tables.edge(direction / 2, step, cut.step_at(offset + to.step));
        const SideWord there = *static_cast<volatile SideWord*>(sides + (to.code >> 5));
        const int bit = static_cast<int>(to.code & 31U);
        if (is_open(there, bit)) {
          edges += capacity;
        } else {
          terminal += is_inside(there, bit) ? capacity : -capacity;
        }
      }
      stays = abs(terminal) <= edges;
      if (!stays) {
        const SideWord own = *static_cast<volatile SideWord*>(sides + cell.word);
        SideWord change = SideWord{1} << (32 + cell.bit);
        if (is_inside(own, cell.bit) != (terminal > 0)) change |= SideWord{1} << cell.bit;
        atomicXor(sides + cell.word, change);
      }
    }
    append(stays, open, after, counter);
  }
}

/// Notes the open cells of each word as bits, and counts them. One thread per word.
static __global__ void __launch_bounds__(kBlockSize)
    number_open_kernel(const SideWord* __restrict__ sides, std::uint32_t words,
                       std::uint32_t* __restrict__ counter, std::uint32_t* __restrict__ first) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t open = word < words ? static_cast<std::uint32_t>(sides[word] >> 32) : 0;
  const std::uint32_t place = reserved_in_block(static_cast<std::uint32_t>(__popc(open)), counter);
  if (open != 0) first[word] = place;
}

/// Numbers of the open cells: those of a word follow each other.
struct OpenNumbers {
  const SideWord* sides;
  const std::uint32_t* first;  // by word

  [[nodiscard]] __device__ std::int32_t of(CellCode code) const {
    const auto open = static_cast<std::uint32_t>(sides[code >> 5] >> 32);
    const std::uint32_t before = open & ((1U << (code & 31U)) - 1U);
    return static_cast<std::int32_t>(first[code >> 5]) + __popc(before);
  }
};

/// Builds the network. One thread per open cell; no races.
static __global__ void __launch_bounds__(kBlockSize)
    build_kernel(const OpenCell* __restrict__ open, const CutView cut, const OpenNumbers numbers,
                 const CutNetwork network, std::int32_t* __restrict__ neighbour,
                 CellCode* __restrict__ cells) {
  const std::int32_t k = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= network.count) return;
  const PlacedCell cell(cut.words, open[k].code);
  const std::int64_t offset = cell.offset(cut.words);
  const std::int32_t step = cut.step_at(offset);
  const std::int32_t i = numbers.of(open[k].code);
  cells[i] = open[k].code;
  std::int32_t terminal = open[k].terminal;
  for (int direction = 0; direction < 6; ++direction) {
    const FaceNeighbour to = face_neighbour(cut.words, cell, direction);
    std::int32_t other = border::CutCell::kNone;
    std::int32_t residual = 0;
    if (to.exists) {
      const std::int32_t capacity =
          cut.tables.edge(direction / 2, step, cut.step_at(offset + to.step));
      const SideWord there = numbers.sides[to.code >> 5];
      const int bit = static_cast<int>(to.code & 31U);
      if (is_open(there, bit)) {
        other = numbers.of(to.code);
        residual = capacity;
      } else {
        terminal += is_inside(there, bit) ? capacity : -capacity;
      }
    }
    neighbour[network.edge(direction, i)] = other;
    network.residual[network.edge(direction, i)] = residual;
  }
  network.excess[i] = max(terminal, 0);
  network.to_sink[i] = max(-terminal, 0);
}

}  // namespace seedwave::gpu
