// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/tile_queue.h"

#include <algorithm>
#include <cassert>

namespace seedwave {

TileQueue::TileQueue(std::int64_t tiles, int strongest)
    : tiles_(static_cast<std::size_t>(tiles)), buckets_(static_cast<std::size_t>(strongest) + 1) {}

void TileQueue::push(std::int64_t tile, int priority) {
  tiles_[tile].priority = static_cast<std::uint16_t>(priority);
  buckets_[priority].entries.push_back(tile);
  top_ = std::max(top_, priority);
}

void TileQueue::wake(std::int64_t tile, int priority) {
  Tile& woken = tiles_[tile];
  switch (woken.state) {
    case State::Idle:
      woken.state = State::Queued;
      ++outstanding_;
      push(tile, priority);
      break;
    case State::Queued:
      // Moving up leaves the old entry in place; take() skips it.
      if (priority > woken.priority) push(tile, priority);
      break;
    case State::Running:
      woken.state = State::Dirty;
      woken.priority = static_cast<std::uint16_t>(priority);
      break;
    case State::Dirty:
      woken.priority = std::max(woken.priority, static_cast<std::uint16_t>(priority));
      break;
  }
}

std::optional<std::int64_t> TileQueue::take() {
  for (; top_ >= 0; --top_) {
    Bucket& bucket = buckets_[top_];
    while (bucket.first < bucket.entries.size()) {
      const std::int64_t tile = bucket.entries[bucket.first++];
      if (bucket.first == bucket.entries.size()) {
        bucket.entries.clear();
        bucket.first = 0;
      }
      Tile& taken = tiles_[tile];
      if (taken.state != State::Queued || taken.priority != top_) continue;  // stale entry
      taken.state = State::Running;
      level_ = top_;
      return tile;
    }
  }
  return std::nullopt;
}

void TileQueue::close(std::int64_t tile) {
  Tile& closed = tiles_[tile];
  assert(closed.state == State::Running || closed.state == State::Dirty);
  if (closed.state == State::Dirty) {
    closed.state = State::Queued;
    push(tile, closed.priority);
  } else {
    closed.state = State::Idle;
    --outstanding_;
  }
}

}  // namespace seedwave
