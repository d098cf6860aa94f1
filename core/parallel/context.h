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

class Checkpoint;
class Ranks;

/// Time that one stage of a run took.
struct StageTime {
  std::string stage;
  double ms = 0.0;
};

/// Stands for the CPU where a device is named by its number.
inline constexpr int kCpu = -1;

/// A part of the machine that shares a run with others: a device with threads that drive it and
/// copy for it, or a group of CPU threads, which work on one slab together.
struct Worker {
  int device = kCpu;
  int threads = 1;

  bool operator==(const Worker&) const = default;
};

/// The share of one worker in a run.
struct WorkDone {
  double busy_ms = 0.0;
  /// Visits to slabs or parts that it finished, and the cells of the layers visited.
  std::int64_t visits = 0;
  std::int64_t cells = 0;
  /// The message of the error that ended its part, which the others then took over.
  std::string failure;
};

/// Number of cells that a loop handles between two checkpoints: about a millisecond.
inline constexpr std::size_t kCellsPerCheck = std::size_t{1} << 16;

/// The services that the caller provides to an algorithm: progress, stop token, threads, caches,
/// clock.
///
/// Thread-safe: the workers of one run share it. It must not be used for two runs at the same time.
class Context {
 public:
  /// Called with the stage's name and the fraction done, 0..1, from any thread of the run.
  using Progress = std::function<void(const std::string& stage, double fraction)>;

  struct Settings {
    std::stop_token stop;
    Progress progress;
    /// Largest number of threads; 0 for all of the machine.
    int threads = 0;
    /// Device on which a CUDA implementation runs; kCpu for a worker without one.
    int device = 0;
    /// Parts of the machine that share a run, if they are two or more. run_operation() refuses
    /// implementations that cannot share.
    std::vector<Worker> workers;
    /// Processes that share a run, each with its own workers; null for one process.
    std::shared_ptr<Ranks> ranks;
    /// Place where the states of slabs are saved as the run goes on, and whence it goes on if it
    /// was interrupted; null for none.
    std::shared_ptr<Checkpoint> saved;
    /// Memory limit in bytes; 0 for none. On the CPU it bounds the memory that a solver allocates
    /// besides inputs and outputs; with CUDA, all device memory. Solvers with
    /// Implementation::least_bytes respect it, in parts if necessary.
    std::int64_t memory = 0;
    /// Arrays that do not fit lie in files (ScratchMemory). Then `memory` bounds what a solver
    /// works on at a time, and not the arrays that it moves through in order; solvers without parts
    /// ignore it.
    bool in_files = false;
    /// Largest number of layers (rows of an image, slices of a volume) of a part, for solvers that
    /// work in parts; 0: as many as the memory holds.
    std::int64_t layers = 0;
    /// Cache that the caller keeps between runs. If null, the context has its own.
    std::shared_ptr<ScratchCache> cache;
  };

  Context() : Context(Settings{}) {}
  explicit Context(Settings settings);

  /// Returns the settings of a context for a part of the run, on the caller's thread: its progress
  /// from 0 to 1 is that of this run between two fractions. Its stage times are its own. This must
  /// outlive it.
  [[nodiscard]] Settings for_part(double from, double to) const;

  /// Reports progress, and throws Cancelled if a stop was requested. Call it at least every 20 ms
  /// of work, but not once per voxel.
  void checkpoint(double fraction);
  [[nodiscard]] bool stop_requested() const noexcept { return settings_.stop.stop_requested(); }
  [[nodiscard]] const std::stop_token& stop_token() const noexcept { return settings_.stop; }
  [[nodiscard]] int threads() const noexcept { return settings_.threads; }
  [[nodiscard]] int device() const noexcept { return settings_.device; }
  [[nodiscard]] bool on_cpu() const noexcept { return settings_.device == kCpu; }
  [[nodiscard]] const std::vector<Worker>& workers() const noexcept { return settings_.workers; }
  /// Returns the number of workers of this process among which slabs are shared: at least 1.
  [[nodiscard]] std::int64_t sharers() const noexcept {
    return workers().empty() ? 1 : static_cast<std::int64_t>(workers().size());
  }
  /// Returns the processes that share the run; null if there is only this one.
  [[nodiscard]] Ranks* ranks() const noexcept { return settings_.ranks.get(); }
  /// Returns the checkpoint of the run; null if there is none.
  [[nodiscard]] Checkpoint* saved() const noexcept { return settings_.saved.get(); }
  /// Returns whether several workers or processes share the run.
  [[nodiscard]] bool is_shared() const noexcept { return sharers() > 1 || ranks() != nullptr; }
  [[nodiscard]] std::int64_t memory() const noexcept { return settings_.memory; }
  [[nodiscard]] bool in_files() const noexcept { return settings_.in_files; }
  [[nodiscard]] std::int64_t layers() const noexcept { return settings_.layers; }
  /// Returns whether solvers are to work in parts: for a limit, to share the run, or to save it.
  [[nodiscard]] bool in_parts() const noexcept {
    return memory() > 0 || layers() > 0 || is_shared() || saved() != nullptr;
  }
  [[nodiscard]] ScratchCache& cache() noexcept { return *settings_.cache; }

  /// Times a stage from construction to destruction and names it in progress reports. At its end,
  /// the enclosing stage, if any, is reported again.
  ///
  /// A nested stage only sets the name. Its time is part of the outer stage's and would count
  /// twice. Stages are opened and closed by the run's own thread, last in first out.
  class Stage {
   public:
    /// Elsewhere: the time is measured otherwise (device events) and passed to add_stage_time().
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
  /// Returns the outermost stages so far, in the order in which they first ended. Equal names are
  /// added up.
  [[nodiscard]] std::vector<StageTime> stage_times() const;

  /// Adds to the share of workers()[worker].
  void add_work(std::size_t worker, const WorkDone& more);
  /// Returns the share of each worker, with ranks also of an only one; else empty if there are
  /// none.
  [[nodiscard]] std::vector<WorkDone> work_done() const;

 private:
  Settings settings_;
  mutable std::mutex mutex_;  // guards all below
  std::string stage_;         // the innermost open stage
  std::vector<StageTime> times_;
  std::vector<WorkDone> work_;  // by worker
};

}  // namespace seedwave
