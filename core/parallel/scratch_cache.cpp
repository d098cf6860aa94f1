// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/scratch_cache.h"

#include <algorithm>
#include <utility>

namespace seedwave {

std::shared_ptr<void> ScratchCache::find_any(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return found->value;
}

std::shared_ptr<void> ScratchCache::take_any(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end()) return nullptr;
  std::shared_ptr<void> value = std::move(found->value);
  bytes_ -= found->bytes;
  entries_.erase(found);
  return value;
}

void ScratchCache::put(const std::string& key, std::shared_ptr<void> entry, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto old = std::find_if(entries_.begin(), entries_.end(),
                                [&](const Entry& other) { return other.key == key; });
  if (old != entries_.end()) {
    bytes_ -= old->bytes;
    entries_.erase(old);
  }
  if (bytes > most_bytes_) return;
  entries_.push_front({key, std::move(entry), bytes});
  bytes_ += bytes;
  while (bytes_ > most_bytes_) {
    bytes_ -= entries_.back().bytes;
    entries_.pop_back();
  }
}

void ScratchCache::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  bytes_ = 0;
}

std::size_t ScratchCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace seedwave
