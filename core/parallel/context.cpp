// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/context.h"

#include "core/base/error.h"
#include "core/base/mapped_pages.h"

#include <algorithm>
#include <new>
#include <thread>
#include <utility>

namespace seedwave {

Context::Context(Settings settings) : settings_(std::move(settings)) {
  if (settings_.threads <= 0) {
    settings_.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  if (!settings_.cache) settings_.cache = std::make_shared<ScratchCache>();
  work_.resize(settings_.ranks ? static_cast<std::size_t>(sharers()) : settings_.workers.size());
}

Context::Settings Context::for_part(double from, double to) const {
  Settings settings = settings_;
  if (settings_.progress) {
    // A part without a stage of its own belongs to the stage that is open here.
    const auto named = [this](const std::string& stage) {
      const std::lock_guard lock(mutex_);
      return stage.empty() ? stage_ : stage;
    };
    settings.progress = [this, named, from, to](const std::string& stage, double fraction) {
      settings_.progress(named(stage), from + (to - from) * fraction);
    };
  }
  return settings;
}

void Context::checkpoint(double fraction) {
  if (stop_requested()) throw Cancelled();
  mapped::keep_pace();
  if (!settings_.progress) return;
  std::string stage;
  {
    const std::lock_guard lock(mutex_);
    stage = stage_;
  }
  settings_.progress(stage, fraction);
}

Context::Stage::Stage(Context& context, std::string name, Timed timed)
    : context_(context),
      name_(std::move(name)),
      timed_(timed),
      start_(std::chrono::steady_clock::now()) {
  const std::lock_guard lock(context_.mutex_);
  outer_ = std::exchange(context_.stage_, name_);
}

Context::Stage::~Stage() {
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start_;
  try {
    if (timed_ == Timed::Here && outer_.empty()) context_.add_stage_time(name_, taken.count());
  } catch (const std::bad_alloc&) {
    // If memory runs out, the run already ends by an exception, and its time is not needed.
  }
  const std::lock_guard lock(context_.mutex_);
  context_.stage_ = std::move(outer_);
}

void Context::add_stage_time(const std::string& stage, double ms) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(times_.begin(), times_.end(),
                                  [&](const StageTime& time) { return time.stage == stage; });
  if (found == times_.end()) {
    times_.push_back({stage, ms});
  } else {
    found->ms += ms;
  }
}

std::vector<StageTime> Context::stage_times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

void Context::add_work(std::size_t worker, const WorkDone& more) {
  const std::lock_guard lock(mutex_);
  WorkDone& done = work_.at(worker);
  done.busy_ms += more.busy_ms;
  done.visits += more.visits;
  done.cells += more.cells;
  if (done.failure.empty()) done.failure = more.failure;
}

std::vector<WorkDone> Context::work_done() const {
  const std::lock_guard lock(mutex_);
  return work_;
}

}  // namespace seedwave
