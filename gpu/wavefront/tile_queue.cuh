// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The worklist protocol of core/wavefront/tile_queue.h in device memory. A worker is a warp.
///
/// The states and transitions are the same: idle (0), queued (1), running (2), running and dirty
/// (3). Bit 0 means "somebody must read the tile again", bit 1 "it has an owner". Each step is one
/// atomic operation on the tile's word:
///   wake   or 1:        idle -> queued, and only that worker pushes; running -> dirty;
///   take   exchange 2:  queued -> running, before the owner reads anything;
///   close  and 1:       running -> idle; dirty -> queued, and the owner pushes.
/// First in, first out.
namespace seedwave::gpu {

/// Counters of a queue, each on its own cache line.
struct QueueCounters {
  /// Low half: number of tiles that are not idle; zero means that the wavefront has converged. High
  /// half: the place for the next pushed tile. Both share one word, so that no tile can be taken
  /// from the ring before it is counted.
  alignas(128) unsigned long long pending_and_tail;
  /// The next place to take from.
  alignas(128) std::uint32_t head;
  /// Number of visits so far.
  alignas(128) unsigned long long visits;
  /// Nonzero if a worker ran out of patience, because few tiles at a time have work.
  alignas(128) std::uint32_t crawling;
};

struct TileQueueView {
  static constexpr std::int32_t kEmpty = -1;
  static constexpr std::int64_t kNoTicket = -1;

  /// Waiting tiles, kEmpty elsewhere. The number of places is a power of two, at least twice the
  /// number of tiles and at least that of workers.
  std::int32_t* ring;
  std::uint32_t ring_mask;
  std::uint32_t* states;  // of each tile
  QueueCounters* counters;
  /// For each worker, the place in the ring where it waited when the previous launch ended.
  std::int64_t* tickets;
};

#if defined(__CUDACC__)

__device__ inline std::uint64_t now_ns() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

/// The maximum duration of a launch, and the time that a worker waits for a tile while others have
/// some.
struct LaunchLimits {
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};
  std::uint64_t budget_ns;
  std::uint64_t patience_ns;
  /// A flag in device memory. If it is not null and points to 0, short_patience_ns replaces
  /// patience_ns.
  const std::uint32_t* patient = nullptr;
  std::uint64_t short_patience_ns = kEndless;
};

/// A warp that takes tiles and passes them on. All lanes call every function together.
class TileWorker {
 public:
  __device__ TileWorker(const TileQueueView& queue, std::uint32_t number,
                        const LaunchLimits& limits)
      : queue_(queue),
        number_(number),
        deadline_ns_(now_ns() + limits.budget_ns),
        patience_ns_(limits.patient == nullptr || __ldcg(limits.patient) != 0
                         ? limits.patience_ns
                         : limits.short_patience_ns),
        lane_(static_cast<int>(threadIdx.x % 32)) {
    if (lane_ == 0) ticket_ = queue_.tickets[number_];
  }

  /// Returns the next tile, which the worker now owns, or -1 if the wavefront has converged or the
  /// time is up. Data that others published before they woke the tile can be read past the L1
  /// cache.
  __device__ std::int32_t take() {
    if (kept_ == TileQueueView::kEmpty && lane_ == 0) kept_ = wait();
    const std::int32_t tile = __shfl_sync(kAll, kept_, 0);
    kept_ = TileQueueView::kEmpty;
    if (tile < 0) return tile;
    if (lane_ == 0) {
      atomicExch(queue_.states + tile, kRunning);
      ++visits_;
    }
    __syncwarp();
    __threadfence();
    return tile;
  }

  /// Ends a visit. `wake`: in each lane a neighbour that gains from the stored cells, or -1; no
  /// neighbour twice. `again`: the tile itself has not converged.
  __device__ void finish(std::int32_t tile, std::int32_t wake, bool again) {
    __threadfence();
    __syncwarp();
    bool push = wake >= 0 && atomicOr(queue_.states + wake, kQueued) == kIdle;
    if (lane_ == 0) {
      requeue_ = again ? (atomicExch(queue_.states + tile, kQueued), true)
                       : atomicAnd(queue_.states + tile, kQueued) == kDirty;
    }
    const bool requeue = __shfl_sync(kAll, requeue_, 0);
    const unsigned woken = __ballot_sync(kAll, push);
    const int queued = __popc(woken) + (requeue ? 1 : 0);
    // One tile is not pushed but visited next, so that a front proceeds without the queue's
    // latency.
    const bool keep = queued > 0 && now_ns() < deadline_ns_ && !is_over();
    const int keeper = woken != 0 ? __ffs(static_cast<int>(woken)) - 1 : 0;
    if (keep) {
      kept_ = woken != 0 ? __shfl_sync(kAll, wake, keeper) : tile;
      if (woken != 0 && lane_ == keeper) push = false;
    }
    const bool push_self = requeue && (!keep || woken != 0);
    const int pushes = queued - (keep ? 1 : 0);
    if (pushes == 0 && queued == 1) return;  // one closed, one kept
    std::uint32_t place = 0;
    if (lane_ == 0) {
      const auto pending = static_cast<unsigned long long>(static_cast<long long>(queued) - 1);
      const auto tail = static_cast<unsigned long long>(pushes) << 32;
      place = static_cast<std::uint32_t>(
          atomicAdd(&queue_.counters->pending_and_tail, tail + pending) >> 32);
    }
    place = __shfl_sync(kAll, place, 0);
    const unsigned pushing = __ballot_sync(kAll, push);
    if (push) put(place + __popc(pushing & ((1U << lane_) - 1)), wake);
    if (push_self && lane_ == 0) put(place + __popc(pushing), tile);
  }

  /// Call before the launch ends.
  __device__ void leave() {
    if (lane_ != 0) return;
    queue_.tickets[number_] = ticket_;
    atomicAdd(&queue_.counters->visits, visits_);
  }

 private:
  static constexpr unsigned kAll = 0xFFFFFFFFU;
  static constexpr std::uint32_t kIdle = 0;
  static constexpr std::uint32_t kQueued = 1;
  static constexpr std::uint32_t kRunning = 2;
  static constexpr std::uint32_t kDirty = 3;
  static constexpr unsigned kShortestNap = 20;
  static constexpr unsigned kLongestNap = 200;

  __device__ void put(std::uint32_t place, std::int32_t tile) {
    __stcg(queue_.ring + (place & queue_.ring_mask), tile);
  }

  /// Returns whether any worker ran out of patience. All lanes read the same word, but not at the
  /// same time.
  __device__ bool is_over() const {
    if (patience_ns_ == LaunchLimits::kEndless) return false;
    const volatile std::uint32_t* crawling = &queue_.counters->crawling;
    return __any_sync(kAll, *crawling != 0);
  }

  /// Call from lane 0 only. The polling reads are relaxed: an acquire would invalidate the L1 cache
  /// each time.
  __device__ std::int32_t wait() {
    const std::uint64_t since = now_ns();
    if (since > deadline_ns_) return -1;
    if (ticket_ == TileQueueView::kNoTicket) ticket_ = atomicAdd(&queue_.counters->head, 1U);
    volatile std::int32_t* place =
        queue_.ring + (static_cast<std::uint32_t>(ticket_) & queue_.ring_mask);
    const volatile unsigned long long* pending = &queue_.counters->pending_and_tail;
    volatile std::uint32_t* crawling = &queue_.counters->crawling;
    for (unsigned nap = kShortestNap;; nap = min(2 * nap, kLongestNap)) {
      const std::int32_t tile = *place;
      if (tile != TileQueueView::kEmpty) {
        *place = TileQueueView::kEmpty;
        ticket_ = TileQueueView::kNoTicket;
        return tile;
      }
      const std::uint64_t now = now_ns();
      if (static_cast<std::uint32_t>(*pending) == 0 || now > deadline_ns_) return -1;
      if (patience_ns_ != LaunchLimits::kEndless) {
        if (now - since > patience_ns_) *crawling = 1;
        if (*crawling != 0) return -1;
      }
      __nanosleep(nap);
    }
  }

  const TileQueueView& queue_;
  std::uint32_t number_;
  std::uint64_t deadline_ns_;
  std::uint64_t patience_ns_;
  int lane_;
  std::int64_t ticket_ = TileQueueView::kNoTicket;  // lane 0
  std::int32_t kept_ = TileQueueView::kEmpty;
  bool requeue_ = false;           // lane 0
  unsigned long long visits_ = 0;  // lane 0
};

#endif

}  // namespace seedwave::gpu
