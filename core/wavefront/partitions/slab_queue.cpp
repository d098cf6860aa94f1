// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_queue.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace seedwave {
namespace {

/// Time between two looks of a worker that has nothing to do.
constexpr std::chrono::milliseconds kLooksForWork{2};
/// A visit is taken over if the rest of it takes this many times as long as a visit of the worker
/// that would begin it anew.
constexpr double kWorthTakingOver = 2.0;

std::size_t index(std::int64_t slab) {
  return static_cast<std::size_t>(slab);
}

}  // namespace

SlabQueue::SlabQueue(std::int64_t slabs, std::size_t workers, NextSlab next, bool open)
    : next_(std::move(next)),
      waiting_(index(slabs), 1),
      visited_(index(slabs), 0),
      held_(index(slabs), 0),
      new_(index(slabs), 1),
      woken_(index(slabs)),
      workers_(workers),
      left_(slabs),
      open_(open) {}

std::optional<SlabQueue::Visit> SlabQueue::take(std::size_t worker) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (stopped_ || workers_[worker].retired || (at_rest() && !open_)) return {};
    if (left_ > 0 && is_worth_while(worker)) return start(worker);
    if (left_ == 0) take_over_from_slower(worker);
    changed_.wait_for(lock, kLooksForWork);
  }
}

/// The others finish the waiting slabs, and what they have begun, in the sum of their speeds.
bool SlabQueue::is_worth_while(std::size_t worker) const {
  const std::optional<Seconds> own = workers_[worker].usual();
  if (!own) return true;
  double others = 0.0;  // visits a second
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const Worker& other = workers_[i];
    if (i == worker || other.retired || !other.usual()) continue;
    if (*other.usual() < *own) others += 1.0 / std::max(other.usual()->count(), 1e-9);
  }
  return own->count() * others <= static_cast<double>(left_ + 1);
}

void SlabQueue::take_over_from_slower(std::size_t worker) {
  const std::optional<Seconds> own = workers_[worker].usual();
  if (!own) return;
  for (Worker& slower : workers_) {
    if (!slower.visit || !slower.visit->first || slower.stop.stop_requested()) continue;
    const Seconds elapsed = Clock::now() - slower.since;
    // A visit without experience is taken to be half over, and one that is overdue to take as long
    // again as it is late.
    const Seconds rest = std::chrono::abs(slower.usual().value_or(Seconds(0)) - elapsed);
    if (rest < kWorthTakingOver * *own) continue;
    slower.stop.request_stop();
    slower.spent += elapsed + rest;
    ++slower.visits;
    return;
  }
}

SlabQueue::Visit SlabQueue::start(std::size_t worker) {
  Worker& visitor = workers_[worker];
  const std::int64_t slab = next_(worker, waiting_);
  assert(waiting_[index(slab)] != 0 && !visitor.visit);
  waiting_[index(slab)] = 0;
  visited_[index(slab)] = 1;
  --left_;
  ++running_;
  visitor.stop = {};
  visitor.since = Clock::now();
  visitor.visit = {.slab = slab,
                   .first = new_[index(slab)] != 0,
                   .woken = std::exchange(woken_[index(slab)], {}),
                   .stop = visitor.stop.get_token()};
  return *visitor.visit;
}

void SlabQueue::wait(std::int64_t slab) {
  if (visited_[index(slab)] != 0 || waiting_[index(slab)] != 0) return;
  waiting_[index(slab)] = 1;
  ++left_;
}

void SlabQueue::wake(std::int64_t slab, const SlabSides& by) {
  assert(slab >= 0 && slab < std::ssize(waiting_));
  woken_[index(slab)].add(by);
  wait(slab);
}

void SlabQueue::end_visit(std::size_t worker, bool waits) {
  Worker& visitor = workers_[worker];
  const std::int64_t slab = visitor.visit->slab;
  visitor.visit.reset();
  visited_[index(slab)] = 0;
  --running_;
  if (waits || woken_[index(slab)].any()) wait(slab);
  changed_.notify_all();
}

void SlabQueue::finish(std::size_t worker, const SlabSides& raised) {
  const std::lock_guard lock(mutex_);
  Worker& visitor = workers_[worker];
  const std::int64_t slab = visitor.visit->slab;
  // One that was to be taken over, and was done before it noticed, is counted there.
  if (visitor.visit->first && !visitor.stop.stop_requested()) {
    visitor.spent += Clock::now() - visitor.since;
    ++visitor.visits;
  }
  new_[index(slab)] = 0;
  if (raised.before) wake(slab - 1, {.after = true});
  if (raised.after) wake(slab + 1, {.before = true});
  ++ended_;
  end_visit(worker, false);
}

/// It may have stored a part of its slab, so that what is woken no longer tells how deep the change
/// is: the next visit is to all of it.
void SlabQueue::leave_unfinished(std::size_t worker) {
  new_[index(workers_[worker].visit->slab)] = 1;
  end_visit(worker, true);
}

void SlabQueue::put_back(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  leave_unfinished(worker);
}

bool SlabQueue::retire(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  const auto at_work = std::ranges::count(workers_, false, &Worker::retired);
  if (at_work <= 1) return false;
  workers_[worker].retired = true;
  leave_unfinished(worker);
  return true;
}

void SlabQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  for (Worker& worker : workers_)
    worker.stop.request_stop();
  changed_.notify_all();
}

void SlabQueue::wake_from_outside(std::int64_t slab, const SlabSides& by) {
  const std::lock_guard lock(mutex_);
  wake(slab, by);
  changed_.notify_all();
}

bool SlabQueue::rests() const {
  const std::lock_guard lock(mutex_);
  return at_rest();
}

bool SlabQueue::is_stopped() const {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

void SlabQueue::close() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  changed_.notify_all();
}

bool SlabQueue::hold(std::int64_t slab) {
  const std::lock_guard lock(mutex_);
  if (visited_[index(slab)] != 0) return false;
  visited_[index(slab)] = 1;
  ++running_;
  held_[index(slab)] = std::exchange(waiting_[index(slab)], 0);
  if (held_[index(slab)] != 0) --left_;
  return true;
}

void SlabQueue::release(std::int64_t slab) {
  const std::lock_guard lock(mutex_);
  visited_[index(slab)] = 0;
  --running_;
  if (std::exchange(held_[index(slab)], 0) != 0 || woken_[index(slab)].any()) wait(slab);
  changed_.notify_all();
}

double SlabQueue::progress(std::int64_t more) const {
  const std::lock_guard lock(mutex_);
  if (ended_ + left_ + running_ == 0) return 1.0;
  return static_cast<double>(ended_ + more) / static_cast<double>(ended_ + left_ + running_);
}

}  // namespace seedwave
