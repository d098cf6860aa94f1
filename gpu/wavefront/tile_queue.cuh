// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The worklist protocol of core/wavefront/tile_queue.h in device memory. A worker is a warp.
///
/// The states and what may follow them are the same: idle (0), queued (1), running (2), running and
/// dirty (3). So bit 0 says "somebody must read the tile again", bit 1 "it has an owner", and each
/// step is one atomic operation on the tile's word:
///   wake   or 1:        idle -> queued, and only who did that pushes; running -> dirty;
///   take   exchange 2:  queued -> running, before the owner reads anything;
///   close  and 1:       running -> idle; dirty -> queued, and the owner pushes.
/// First in, first out.
namespace seedwave::gpu {

/// Counters of a queue, each on lines of its own.
struct QueueCounters {
  /// Low half: tiles that are not idle; zero means that the wavefront has come to rest. High half:
  /// where the next tile is pushed. One word, so that no tile can be taken from the ring before it
  /// is counted.
  alignas(128) unsigned long long pending_and_tail;
  /// The next place to take from.
  alignas(128) std::uint32_t head;
  /// Visits so far.
  alignas(128) unsigned long long visits;
  /// Not 0: a worker ran out of patience, because few tiles at a time have work.
  alignas(128) std::uint32_t crawling;
};

struct TileQueueView {
  static constexpr std::int32_t kEmpty = -1;
  static constexpr std::int64_t kNoTicket = -1;

  /// Tiles that wait, kEmpty elsewhere; a power of two of places, at least twice as many as tiles
  /// and as workers.
  std::int32_t* ring;
  std::uint32_t ring_mask;
  std::uint32_t* states;  // a tile's
  QueueCounters* counters;
  /// For each worker the place in the ring where it waited when the launch before ended.
  std::int64_t* tickets;
};

#if defined(__CUDACC__)

__device__ inline std::uint64_t now_ns() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

/// How long a launch may last, and a worker wait for a tile while others have some.
struct LaunchLimits {
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};
  std::uint64_t budget_ns;
  std::uint64_t patience_ns;
  /// In device memory; where it is not 0, or null, patience is as long as that above, else:
  const std::uint32_t* patient = nullptr;
  std::uint64_t short_patience_ns = kEndless;
};

/// A warp that takes tiles, and hands them on. All lanes call every function together.
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

  /// The next tile, now owned: what others published before they woke it can be read, past the
  /// first-level cache. -1: the wavefront has come to rest, or the time is up.
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

  /// Ends a visit. `wake`: in each lane a neighbour that gains by what was stored, or -1; none
  /// twice. `again`: the tile itself is not at rest.
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
    // One is not pushed but visited next: a front goes on without the queue's latency.
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

  /// Before the launch ends.
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

  /// Whether somebody ran out of patience. All lanes read the same word, but not at once.
  __device__ bool is_over() const {
    if (patience_ns_ == LaunchLimits::kEndless) return false;
    const volatile std::uint32_t* crawling = &queue_.counters->crawling;
    return __any_sync(kAll, *crawling != 0);
  }

  /// Lane 0 only. Waiting reads are relaxed: an acquire would empty the first-level cache each
  /// time.
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
