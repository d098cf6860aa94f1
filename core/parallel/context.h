// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/scratch_cache.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace seedwave {

/// How long one stage of a run took.
struct StageTime {
  std::string stage;
  double ms = 0.0;
};

/// Cells that a loop handles between two checkpoints: about a millisecond.
inline constexpr std::size_t kCellsPerCheck = std::size_t{1} << 16;

/// What an algorithm gets from whoever runs it: progress, the stop token, threads, caches, a clock.
///
/// Thread-safe: the workers of one run share it. Not for two runs at the same time.
class Context {
 public:
  /// Called with the stage's name and its share done, 0..1, from any thread of the run.
  using Progress = std::function<void(const std::string& stage, double fraction)>;

  struct Settings {
    std::stop_token stop;
    Progress progress;
    /// At most this many threads; 0: all that the machine has.
    int threads = 0;
    /// Which device a CUDA implementation runs on.
    int device = 0;
    /// Bound in bytes, 0: none. CPU: of what a solver allocates beside inputs and outputs; CUDA: of
    /// all device memory. Solvers with Implementation::least_bytes keep to it, in parts if need be.
    std::int64_t memory = 0;
    /// Kept between runs by the caller; an own one where null.
    std::shared_ptr<ScratchCache> cache;
  };

  Context() : Context(Settings{}) {}
  explicit Context(Settings settings);

  /// Reports and, when asked to stop, throws Cancelled. Call it at least every 20 ms of work, not
  /// once a voxel.
  void checkpoint(double fraction);
  [[nodiscard]] bool stop_requested() const noexcept { return settings_.stop.stop_requested(); }
  [[nodiscard]] const std::stop_token& stop_token() const noexcept { return settings_.stop; }
  [[nodiscard]] int threads() const noexcept { return settings_.threads; }
  [[nodiscard]] int device() const noexcept { return settings_.device; }
  [[nodiscard]] std::int64_t memory() const noexcept { return settings_.memory; }
  [[nodiscard]] ScratchCache& cache() noexcept { return *settings_.cache; }

  /// Times a stage from construction to destruction and names it in progress reports; after it the
  /// stage around it, if any, has its name back.
  ///
  /// A stage inside another one only names: its time is part of the outer one's, and would count
  /// twice. Stages are opened and closed by the run's own thread, the last one first.
  class Stage {
   public:
    /// Elsewhere: somebody else measures (device events) and calls add_stage_time().
    enum class Timed { Here, Elsewhere };

    Stage(Context& context, std::string name, Timed timed = Timed::Here);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

   private:
    Context& context_;
    std::string name_;
    std::string outer_;  // empty: none
    Timed timed_;
    std::chrono::steady_clock::time_point start_;
  };
  [[nodiscard]] Stage stage(std::string name) { return {*this, std::move(name)}; }
  /// Adds a time measured elsewhere.
  void add_stage_time(const std::string& stage, double ms);
  /// The outermost stages so far, in the order in which they first ended; equal names are added up.
  [[nodiscard]] std::vector<StageTime> stage_times() const;

 private:
  Settings settings_;
  mutable std::mutex mutex_;  // guards stage_ and times_
  std::string stage_;         // the innermost one that is open
  std::vector<StageTime> times_;
};

}  // namespace seedwave
