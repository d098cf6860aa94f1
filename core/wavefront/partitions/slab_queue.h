// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/partitions/slab_order.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace seedwave {

/// Two sides of a slab: those whose halo a visit raised, or whose neighbour raised the slab's.
struct SlabSides {
  bool before = false;
  bool after = false;

  [[nodiscard]] bool any() const noexcept { return before || after; }
  void add(const SlabSides& more) noexcept {
    before = before || more.before;
    after = after || more.after;
  }
};

/// The slabs of a run, handed out on demand to workers that visit different ones at the same time.
/// A slab is idle, waits, is visited, or is visited and waits again: one that is woken while it is
/// visited is visited again (docs/wavefront.md). Thread-safe.
///
/// A worker that is slower than others gets a slab only if it will probably be done before they
/// are through with all; the time of its first visits to slabs so far tells.
class SlabQueue {
 public:
  /// All slabs wait. If the queue is `open`, slabs may be woken from outside, and take() waits for
  /// that until close().
  SlabQueue(std::int64_t slabs, std::size_t workers, NextSlab next, bool open = false);
  /// Takes a worker out before the run. There must be another one.
  void leave_out(std::size_t worker) { workers_[worker].retired = true; }

  struct Visit {
    std::int64_t slab;
    /// It was never visited to the end. Else only what follows from the neighbours at `woken` is
    /// new.
    bool first;
    SlabSides woken;
    /// Requested if a faster worker has nothing left to do: the visit is to end without a result.
    std::stop_token stop;
  };
  /// Returns a slab that nobody else visits; waits for one. Nothing if all are idle, or after
  /// stop().
  [[nodiscard]] std::optional<Visit> take(std::size_t worker);
  /// Ends a worker's visit, after its result is stored. Not before: a neighbour that is woken reads
  /// the result.
  void finish(std::size_t worker, const SlabSides& raised);
  /// Ends a worker's visit that was not finished: its slab waits again, for a visit to all of it.
  void put_back(std::size_t worker);
  /// Ends the visit likewise, and the worker's part in the run. Returns false, and changes nothing,
  /// if it is the only one left.
  [[nodiscard]] bool retire(std::size_t worker);
  /// Lets take() return nothing from now on.
  void stop();

  /// Wakes a slab whose halo another rank raised.
  void wake_from_outside(std::int64_t slab, const SlabSides& by);
  /// Returns whether no slab waits or is visited.
  [[nodiscard]] bool rests() const;
  [[nodiscard]] bool is_stopped() const;
  /// Nothing will come from outside any more.
  void close();

  /// Keeps a slab from being visited until release(). Returns false, and does nothing, if it is
  /// visited.
  [[nodiscard]] bool hold(std::int64_t slab);
  void release(std::int64_t slab);

  /// Returns the visits that ended, and `more` of those under way, as a share of those known to be
  /// necessary: 1 if all slabs are idle. Decreases where slabs are woken.
  [[nodiscard]] double progress(std::int64_t more = 0) const;

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  struct Worker {
    std::optional<Visit> visit;
    Clock::time_point since;  // when that began
    std::stop_source stop;
    std::int64_t visits = 0;  // first visits to slabs: later ones take less
    Seconds spent{};          // in these
    bool retired = false;

    /// Returns the time of a first visit; nothing before one has ended.
    [[nodiscard]] std::optional<Seconds> usual() const {
      if (visits == 0) return {};
      return spent / static_cast<double>(visits);
    }
  };

  [[nodiscard]] bool at_rest() const { return left_ == 0 && running_ == 0; }
  [[nodiscard]] bool is_worth_while(std::size_t worker) const;
  void take_over_from_slower(std::size_t worker);
  [[nodiscard]] Visit start(std::size_t worker);
  void end_visit(std::size_t worker, bool waits);
  void leave_unfinished(std::size_t worker);
  void wake(std::int64_t slab, const SlabSides& by);
  void wait(std::int64_t slab);

  NextSlab next_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::vector<char> waiting_;     // and nobody visits it
  std::vector<char> visited_;     // by somebody, or held
  std::vector<char> held_;        // and it waited
  std::vector<char> new_;         // the next visit is to all of it
  std::vector<SlabSides> woken_;  // since its last visit began
  std::vector<Worker> workers_;
  std::int64_t left_;         // number of waiting slabs
  std::int64_t running_ = 0;  // of visits
  std::int64_t ended_ = 0;    // visits
  bool stopped_ = false;
  bool open_;
};

}  // namespace seedwave
