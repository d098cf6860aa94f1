// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/settle_slabs.h"

#include <algorithm>
#include <cassert>
#include <memory>

namespace seedwave {
namespace {

/// Cache size: enough for streams and the like, but too small for the data of a slab.
constexpr std::size_t kCacheBytes = 1 << 12;

/// Calls body(part) with a context for a part of the run, from `begin` to `end` of its progress.
template <typename Body>
auto with_part_of(Context& run, const std::shared_ptr<ScratchCache>& cache, double begin,
                  double end, Body&& body) {
  Context part(
      {.stop = run.stop_token(),
       .progress = [&](const std::string&,
                       double fraction) { run.checkpoint(begin + (end - begin) * fraction); },
       .threads = run.threads(),
       .device = run.device(),
       .cache = cache});
  const auto result = body(part);
  for (const StageTime& time : part.stage_times())
    run.add_stage_time(time.stage, time.ms);
  return result;
}

}  // namespace

NextSlab up_and_down() {
  return [up = true, at = std::int64_t{-1}](const std::vector<char>& waiting) mutable {
    const auto count = std::ssize(waiting);
    for (;; up = !up) {
      for (std::int64_t i = at + (up ? 1 : -1); i >= 0 && i < count; i += up ? 1 : -1) {
        if (waiting[static_cast<std::size_t>(i)] != 0) return at = i;
      }
      // Starts beyond the end, because the slab at the turning point may have been woken too.
      at = up ? count : -1;
    }
  };
}

void settle_slabs(std::int64_t count, const VisitSlab& visit, Context& context,
                  const NextSlab& next) {
  std::vector<char> waiting(static_cast<std::size_t>(count), 1);
  const auto cache = std::make_shared<ScratchCache>(kCacheBytes);
  std::int64_t left = count;
  std::int64_t visits = 0;
  double done = 0.0;
  const auto wake = [&](std::int64_t slab) {
    assert(slab >= 0 && slab < count);
    if (waiting[static_cast<std::size_t>(slab)] == 0) ++left;
    waiting[static_cast<std::size_t>(slab)] = 1;
  };
  while (left > 0) {
    context.checkpoint(done);
    const std::int64_t slab = next(waiting);
    waiting[static_cast<std::size_t>(slab)] = 0;
    --left;
    ++visits;
    // The number of visits is unknown in advance. Progress never decreases, even if slabs are
    // woken.
    const double after =
        std::max(done, static_cast<double>(visits) / static_cast<double>(visits + left));
    const SlabWakes wakes =
        with_part_of(context, cache, done, after, [&](Context& part) { return visit(slab, part); });
    done = after;
    if (wakes.before) wake(slab - 1);
    if (wakes.after) wake(slab + 1);
  }
}

void for_each_slab(std::int64_t count,
                   const std::function<void(std::int64_t slab, Context& context)>& body,
                   Context& context) {
  settle_slabs(
      count,
      [&](std::int64_t slab, Context& part) {
        body(slab, part);
        return SlabWakes{};
      },
      context);
}

}  // namespace seedwave
