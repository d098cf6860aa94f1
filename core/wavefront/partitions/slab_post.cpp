// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/partitions/slab_post.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

namespace seedwave {
namespace {

/// Time between two looks for messages. A visit takes much longer.
constexpr std::chrono::microseconds kBetweenLooks{200};

/// A message is the number of a layer and its states.
Ranks::Bytes message_of(std::int64_t layer, std::span<const std::byte> states) {
  Ranks::Bytes message(sizeof layer + states.size());
  std::memcpy(message.data(), &layer, sizeof layer);
  std::ranges::copy(states, message.begin() + sizeof layer);
  return message;
}

}  // namespace

void SlabPost::send(bool before) {
  const SlabGrid& slabs = states_.slabs();
  const std::int64_t own = before ? slabs.own().begin : slabs.own().end - 1;
  const std::int64_t beyond = before ? own - 1 : own + 1;
  const int to = rank_of_layer(beyond, slabs.layers(), ranks_.count());
  // Nobody else writes the layer while its slab is visited.
  Ranks::Bytes message = message_of(own, states_.layers({own, own + 1}));
  const std::lock_guard lock(mutex_);
  outgoing_.emplace_back(to, std::move(message));
  changed_.notify_one();
}

void SlabPost::work() {
  while (!queue_.is_stopped()) {
    send_all();
    receive_all();
    if (is_idle() && find_end()) return queue_.close();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kBetweenLooks, [&] { return !outgoing_.empty(); });
  }
}

void SlabPost::send_all() {
  std::vector<std::pair<int, Ranks::Bytes>> now;
  {
    const std::lock_guard lock(mutex_);
    now.swap(outgoing_);
  }
  for (auto& [to, message] : now) {
    ranks_.send(to, std::move(message));
    ++sent_;
  }
}

void SlabPost::receive_all() {
  const LayerRange& own = states_.slabs().own();
  while (const std::optional<Ranks::Bytes> message = ranks_.receive()) {
    std::int64_t layer = 0;
    std::memcpy(&layer, message->data(), sizeof layer);
    states_.put(layer, std::span(*message).subspan(sizeof layer));
    ++received_;
    if (layer < own.begin) queue_.wake_from_outside(0, {.before = true});
    if (layer >= own.end) queue_.wake_from_outside(states_.slabs().count() - 1, {.after = true});
  }
}

bool SlabPost::is_idle() {
  // In this order: what a visit sends waits here before the visit ends.
  if (!queue_.rests()) return false;
  const std::lock_guard lock(mutex_);
  return outgoing_.empty();
}

bool SlabPost::find_end() {
  if (in_round_) {
    const std::optional<Ranks::Sums> sums = ranks_.end_round();
    if (!sums) return false;
    in_round_ = false;
    const bool all_arrived = (*sums)[0] == (*sums)[1];
    if (all_arrived && *sums == last_) return true;
    last_ = *sums;
  }
  ranks_.begin_round({sent_, received_});
  in_round_ = true;
  return false;
}

}  // namespace seedwave
