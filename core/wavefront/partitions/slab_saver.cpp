// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_saver.h"

#include "core/base/error.h"
#include "core/parallel/ranks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>

namespace seedwave {
namespace {

using std::chrono::milliseconds;

/// Waits, but not after a stop was requested.
void wait(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any nobody;
  std::unique_lock lock(mutex);
  nobody.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

SlabSaver::SlabSaver(SlabCells& states, const Context& context)
    : states_(states),
      context_(context),
      checkpoint_(*context.saved()),
      pass_(checkpoint_.begin_pass(states.first().name, states.offset(states.slabs().layers()))),
      is_final_(of_all_ranks(checkpoint_.is_final(pass_))),
      changed_(static_cast<std::size_t>(states.slabs().count())) {
  // States that are not final come to lie where final ones of some ranks may be.
  if (!is_final_) checkpoint_.set_final(pass_, false);
  if (is_final_ || states.first().goes_on == GoesOn::FromAny) states.go_on_from(checkpoint_, pass_);
  std::size_t most = 0;
  for (std::int64_t slab = 0; slab < states.slabs().count(); ++slab)
    most = std::max(most, states_of(slab).size());
  copy_ = std::make_unique_for_overwrite<std::byte[]>(most);
}

void SlabSaver::work(SlabQueue& queue, const std::stop_token& stop) {
  if (states_.first().goes_on == GoesOn::FromFinal) return;
  constexpr milliseconds kBetweenTries{2};
  for (;;) {
    wait(checkpoint_.every(), stop);
    // After an interruption, or an error, once more.
    if (stop.stop_requested() && !queue.is_stopped()) return;
    for (std::int64_t slab = 0; slab < states_.slabs().count(); ++slab) {
      if (!changed_[static_cast<std::size_t>(slab)]) continue;
      while (!queue.hold(slab)) {
        if (stop.stop_requested()) return;
        wait(kBetweenTries, stop);
      }
      began_ = true;
      save(slab, &queue);
    }
    if (stop.stop_requested()) return;
  }
}

void SlabSaver::take_back() {
  if (states_.first().goes_on == GoesOn::FromFinal) {
    throw UnavailableError(
        "states of the checkpoint can no longer be read: start the run again, and it does without");
  }
  is_final_ = false;
  checkpoint_.set_final(pass_, false);
}

void SlabSaver::finish() {
  if (states_.first().is_last) return;
  if (of_all_ranks(!began_ && !checkpoint_.is_due())) return;
  for (std::int64_t slab = 0; slab < states_.slabs().count(); ++slab)
    if (changed_[static_cast<std::size_t>(slab)]) save(slab, nullptr);
  const bool saved_all = std::ranges::none_of(
      changed_, [](const std::atomic<bool>& changed) { return changed.load(); });
  if (of_all_ranks(saved_all)) checkpoint_.set_final(pass_, true);
}

bool SlabSaver::of_all_ranks(bool own) const {
  Ranks* const ranks = context_.ranks();
  return ranks == nullptr ? own : ranks->all_sum(own ? 1 : 0) == ranks->count();
}

void SlabSaver::save(std::int64_t slab, SlabQueue* held_by) {
  const std::span<const std::byte> now = states_of(slab);
  changed_[static_cast<std::size_t>(slab)] = false;
  std::ranges::copy(now, copy_.get());
  if (held_by != nullptr) held_by->release(slab);
  if (!checkpoint_.save(pass_, states_.offset(states_.slabs().slab(slab).begin),
                        {copy_.get(), now.size()}))
    changed_[static_cast<std::size_t>(slab)] = true;
}

std::span<const std::byte> SlabSaver::states_of(std::int64_t slab) const {
  const Slab layers = states_.slabs().slab(slab);
  return states_.layers({layers.begin, layers.end});
}

}  // namespace seedwave
