// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/settle_slabs.h"

#include "core/base/error.h"
#include "core/parallel/workers.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

/// Cache size: enough for streams and the like, but too small for the data of a slab.
constexpr std::size_t kCacheBytes = 1 << 12;

/// A run of workers on slabs.
class Settling {
 public:
  Settling(std::int64_t slabs, const NextSlab& next, const VisitSlab& visit,
           std::function<std::int64_t(std::int64_t)> cells, Context& run)
      : visit_(visit),
        cells_(std::move(cells)),
        run_(run),
        queue_(slabs, static_cast<std::size_t>(run.sharers()),
               next ? next : near_first(slabs, static_cast<std::size_t>(run.sharers()))) {
    for (std::int64_t i = 0; i < run.sharers(); ++i)
      caches_.push_back(std::make_shared<ScratchCache>(kCacheBytes));
  }

  void work_off() {
    run_.checkpoint(0.0);
    run_workers(static_cast<int>(run_.sharers()),
                [&](int worker) { work(static_cast<std::size_t>(worker)); });
    // The system may have given fewer threads than workers, and all of them retired.
    if (failure_ && queue_.progress() < 1.0) std::rethrow_exception(failure_);
  }

 private:
  void work(std::size_t worker) {
    while (const std::optional<SlabQueue::Visit> visit = queue_.take(worker)) {
      try {
        if (run_.stop_requested()) throw Cancelled();
        const auto start = std::chrono::steady_clock::now();
        const SlabWakes wakes = visit_with_context(worker, *visit);
        queue_.finish(worker, wakes);
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        note(worker, {.busy_ms = taken.count(), .visits = 1, .cells = cells_(visit->slab)});
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
    {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    if (!queue_.retire(worker)) {
      queue_.stop();
      return false;
    }
    note(worker, {.failure = error.what()});
    return true;
  }

  void note(std::size_t worker, const WorkDone& more) {
    if (!run_.workers().empty()) run_.add_work(worker, more);
  }

  SlabWakes visit_with_context(std::size_t worker, const SlabQueue::Visit& visit) {
    const Worker as =
        run_.workers().empty() ? Worker{run_.device(), run_.threads()} : run_.workers()[worker];
    std::stop_source stop;
    const auto pass_on = [&] { stop.request_stop(); };
    const std::stop_callback when_all_stop(run_.stop_token(), pass_on);
    const std::stop_callback when_taken_over(visit.stop, pass_on);
    const double before = queue_.progress();
    const double after = queue_.next_progress();
    Context part(
        {.stop = stop.get_token(),
         .progress = [&](const std::string&,
                         double fraction) { report(before + (after - before) * fraction); },
         .threads = as.threads,
         .device = as.device,
         .cache = caches_[worker]});
    const SlabWakes wakes = visit_(visit.slab, part);
    for (const StageTime& time : part.stage_times())
      run_.add_stage_time(time.stage, time.ms);
    return wakes;
  }

  /// Reports what never decreases, though workers are at different places.
  void report(double fraction) {
    const std::lock_guard lock(mutex_);
    most_ = std::max(most_, fraction);
    run_.checkpoint(most_);
  }

  const VisitSlab& visit_;
  std::function<std::int64_t(std::int64_t)> cells_;
  Context& run_;
  SlabQueue queue_;
  std::vector<std::shared_ptr<ScratchCache>> caches_;  // by worker
  std::mutex mutex_;                                   // guards all below
  std::exception_ptr failure_;
  double most_ = 0.0;
};

}  // namespace

void settle_slabs(const SlabGrid& slabs, const VisitSlab& visit, Context& context,
                  const NextSlab& next) {
  const auto cells = [&](std::int64_t number) {
    const Slab slab = slabs.slab(number);
    return (slab.end - slab.begin) * slabs.layer_cells();
  };
  Settling(slabs.count(), next, visit, cells, context).work_off();
}

void for_each_slab(std::int64_t count,
                   const std::function<void(std::int64_t slab, Context& context)>& body,
                   Context& context, std::int64_t cells) {
  const VisitSlab visit = [&](std::int64_t slab, Context& part) {
    body(slab, part);
    return SlabWakes{};
  };
  Settling(
      count, {}, visit, [&](std::int64_t) { return cells; }, context)
      .work_off();
}

}  // namespace seedwave
