// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/settle_slabs.h"

#include "core/base/error.h"
#include "core/parallel/ranks.h"
#include "core/parallel/shared_items.h"
#include "core/parallel/workers.h"
#include "core/wavefront/partitions/slab_post.h"
#include "core/wavefront/partitions/slab_saver.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Cache size: enough for streams and the like, but too small for the data of a slab.
constexpr std::size_t kCacheBytes = 1 << 12;
/// A later visit begins with this share of a slab's layers, but not with fewer than kFewLayers, and
/// goes on with kDeeper times as many.
constexpr std::int64_t kShareOfSlab = 16;
constexpr std::int64_t kFewLayers = 16;
constexpr std::int64_t kDeeper = 4;

/// A run of workers on slabs.
class Settling {
 public:
  /// `states`: null if no other rank has slabs. `saver`: null if they are not to be saved.
  Settling(const SlabGrid& slabs, SlabCells* states, SlabSaver* saver, const NextSlab& next,
           const VisitSlab& visit, Context& run)
      : slabs_(slabs),
        visit_(visit),
        run_(run),
        saver_(saver),
        queue_(slabs.count(), static_cast<std::size_t>(run.sharers()),
               next ? next : near_first(slabs.count(), static_cast<std::size_t>(run.sharers())),
               states != nullptr) {
    if (states != nullptr) post_.emplace(*states, queue_, *run.ranks());
    for (std::int64_t i = 0; i < run.sharers(); ++i)
      caches_.push_back(std::make_shared<ScratchCache>(kCacheBytes));
    leave_out_failed();
  }

  void work_off() {
    run_.checkpoint(0.0);
    {
      std::optional<std::jthread> postman;
      if (post_) postman.emplace([&] { deliver(); });
      std::optional<std::jthread> saver;
      const StopUnlessDone ends_both(queue_);
      if (saver_ != nullptr) saver.emplace([&](const std::stop_token& stop) { save(stop); });
      run_workers(static_cast<int>(run_.sharers()),
                  [&](int worker) { work(static_cast<std::size_t>(worker)); });
    }
    if (post_failure_) std::rethrow_exception(post_failure_);
    // The system may give fewer threads than workers, and all that it gave retire.
    if (queue_.progress() < 1.0) {
      throw UnavailableError(failure_.empty() ? "there are too few threads to share the run"
                                              : failure_);
    }
  }

 private:
  /// Leaves out workers that failed in an earlier pass of the run, unless all did.
  void leave_out_failed() {
    const std::vector<WorkDone> work = run_.work_done();
    const auto failed = [](const WorkDone& done) { return !done.failure.empty(); };
    if (std::ranges::all_of(work, failed)) return;
    for (std::size_t worker = 0; worker < work.size(); ++worker)
      if (failed(work[worker])) queue_.leave_out(worker);
  }

  /// Stops the queue if something failed, so that threads that wait for it end.
  class StopUnlessDone {
   public:
    explicit StopUnlessDone(SlabQueue& queue) : queue_(queue) {}
    ~StopUnlessDone() {
      if (queue_.progress() < 1.0) queue_.stop();
    }
    StopUnlessDone(const StopUnlessDone&) = delete;
    StopUnlessDone& operator=(const StopUnlessDone&) = delete;

   private:
    SlabQueue& queue_;
  };

  void save(const std::stop_token& stop) {
    try {
      saver_->work(queue_, stop);
    } catch (const std::exception&) {
      // Out of memory: nothing more is saved of this pass until its end.
    }
  }

  void deliver() {
    try {
      post_->work();
    } catch (...) {  // rethrown on the run's own thread
      post_failure_ = std::current_exception();
      queue_.stop();
    }
  }

  void work(std::size_t worker) {
    while (const std::optional<SlabQueue::Visit> visit = queue_.take(worker)) {
      try {
        report(queue_.progress());
        const auto start = std::chrono::steady_clock::now();
        std::int64_t layers = 0;
        const SlabSides raised = visit_with_context(worker, *visit, layers);
        if (saver_ != nullptr) saver_->changed(visit->slab);
        queue_.finish(worker, without_other_ranks(visit->slab, raised));
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        note(worker,
             {.busy_ms = taken.count(), .visits = 1, .cells = layers * slabs_.layer_cells()});
      } catch (const Cancelled&) {
        if (run_.stop_requested()) {
          queue_.stop();
          throw;
        }
        queue_.put_back(worker);
      } catch (const UnavailableError& error) {
        if (!retire(worker, error)) throw;
        return;
      } catch (const DeviceFault& error) {
        if (!retire(worker, error)) throw;
        return;
      } catch (...) {
        queue_.stop();
        throw;
      }
    }
  }

  /// Returns false if there is nobody else.
  bool retire(std::size_t worker, const Error& error) {
    if (!queue_.retire(worker)) {
      queue_.stop();
      return false;
    }
    note(worker, {.failure = error.what()});
    const std::lock_guard lock(mutex_);
    failure_ = error.what();
    return true;
  }

  void note(std::size_t worker, const WorkDone& more) {
    if (!run_.workers().empty() || run_.ranks() != nullptr) run_.add_work(worker, more);
  }

  /// Tells other ranks that their halos were raised. Returns the sides towards slabs of this rank.
  SlabSides without_other_ranks(std::int64_t slab, SlabSides raised) {
    if (raised.before && slab == 0) {
      post_->send(true);
      raised.before = false;
    }
    if (raised.after && slab == slabs_.count() - 1) {
      post_->send(false);
      raised.after = false;
    }
    return raised;
  }

  /// Adds up the layers that were visited.
  SlabSides visit_with_context(std::size_t worker, const SlabQueue::Visit& visit,
                               std::int64_t& layers) {
    const Worker as =
        run_.workers().empty() ? Worker{run_.device(), run_.threads()} : run_.workers()[worker];
    std::stop_source stop;
    const auto pass_on = [&] { stop.request_stop(); };
    const std::stop_callback when_all_stop(run_.stop_token(), pass_on);
    const std::stop_callback when_taken_over(visit.stop, pass_on);
    const double before = queue_.progress();
    const double after = queue_.progress(1);
    Context part(
        {.stop = stop.get_token(),
         .progress = [&](const std::string&,
                         double fraction) { report(before + (after - before) * fraction); },
         .threads = as.threads,
         .device = as.device,
         .cache = caches_[worker]});
    const auto visit_layers = [&](std::int64_t begin, std::int64_t end) {
      layers += end - begin;
      return visit_({visit.slab, slabs_.part(begin, end)}, part);
    };
    const SlabSides raised = visit_layers_of(visit, visit_layers);
    for (const StageTime& time : part.stage_times())
      run_.add_stage_time(time.stage, time.ms);
    return raised;
  }

  /// Returns the sides of the slab where the halo was raised. Layers that are not visited are at
  /// rest: since the last visit only the halo has changed, at the sides that were woken.
  template <typename VisitLayers>
  SlabSides visit_layers_of(const SlabQueue::Visit& visit, VisitLayers&& visit_layers) {
    const Slab all = slabs_.slab(visit.slab);
    if (visit.first) return visit_layers(all.begin, all.end);
    SlabSides raised;
    if (visit.woken.before && go_deeper(all, Side::Before, raised, visit_layers)) return raised;
    if (visit.woken.after) go_deeper(all, Side::After, raised, visit_layers);
    return raised;
  }

  enum class Side { Before, After };
  /// Visits more and more layers from one side on, until the layer behind them is not raised, or
  /// there is none. Returns whether all were visited.
  template <typename VisitLayers>
  bool go_deeper(const Slab& all, Side side, SlabSides& raised, VisitLayers&& visit_layers) {
    const bool before = side == Side::Before;
    for (std::int64_t layers = std::max(kFewLayers, all.layers() / kShareOfSlab);;
         layers *= kDeeper) {
      layers = std::min(layers, all.layers());
      const bool whole = layers == all.layers();
      const SlabSides part = before ? visit_layers(all.begin, all.begin + layers)
                                    : visit_layers(all.end - layers, all.end);
      // The halo behind the layers belongs to the slab itself, unless they are all of it.
      raised.add(
          {.before = part.before && (before || whole), .after = part.after && (!before || whole)});
      if (whole || !(before ? part.after : part.before)) return whole;
    }
  }

  /// Reports what never decreases, though workers are at different places.
  void report(double fraction) {
    const std::lock_guard lock(mutex_);
    most_ = std::max(most_, fraction);
    run_.checkpoint(most_);
  }

  const SlabGrid& slabs_;
  const VisitSlab& visit_;
  Context& run_;
  SlabSaver* saver_;
  SlabQueue queue_;
  std::optional<SlabPost> post_;  // if there are other ranks
  std::exception_ptr post_failure_;
  std::vector<std::shared_ptr<ScratchCache>> caches_;  // by worker
  std::mutex mutex_;                                   // guards all below
  std::string failure_;                                // of the last worker that retired
  double most_ = 0.0;
};

}  // namespace

void settle_slabs(SlabCells& states, const VisitSlab& visit, Context& context,
                  const NextSlab& next) {
  std::optional<SlabSaver> saver;
  if (context.saved() != nullptr) saver.emplace(states, context);
  const bool is_done = saver && saver->is_final() && saver->of_all_ranks(states.start_all(context));
  if (!is_done) {
    if (saver && saver->is_final()) saver->take_back();
    Settling(states.slabs(), context.ranks() == nullptr ? nullptr : &states,
             saver ? &*saver : nullptr, next, visit, context)
        .work_off();
    if (saver) saver->finish();
  }
  Ranks* const ranks = context.ranks();
  if (ranks == nullptr) return;
  // All must know of the end before one of them begins another pass, whose messages they would take
  // for those of this one.
  static_cast<void>(ranks->all_sum(0));
  if (states.first().is_last) return;
  const std::int64_t layers = states.slabs().layers();
  share_layers_beside(*ranks, states.layers({0, layers}), layers, kLayersBeside);
}

void settle_slabs(const SlabGrid& slabs, const VisitSlab& visit, Context& context,
                  const NextSlab& next) {
  Settling(slabs, nullptr, nullptr, next, visit, context).work_off();
}

void collect_states(SlabCells& states, Context& context) {
  const std::int64_t layers = states.slabs().layers();
  collect_items(context, states.layers({0, layers}), layers);
}

}  // namespace seedwave
