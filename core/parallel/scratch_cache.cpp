// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/scratch_cache.h"

#include <algorithm>
#include <iterator>
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
  std::list<Entry> gone;  // destroyed after unlocking, because that may take long
  const std::lock_guard lock(mutex_);
  const auto drop = [&](std::list<Entry>::iterator which) {
    bytes_ -= which->bytes;
    gone.splice(gone.end(), entries_, which);
  };
  const auto old = std::find_if(entries_.begin(), entries_.end(),
                                [&](const Entry& other) { return other.key == key; });
  if (old != entries_.end()) drop(old);
  if (bytes > most_bytes_) {
    gone.push_back({key, std::move(entry), bytes});
    return;
  }
  entries_.push_front({key, std::move(entry), bytes});
  bytes_ += bytes;
  while (bytes_ > most_bytes_)
    drop(std::prev(entries_.end()));
}

void ScratchCache::clear() {
  std::list<Entry> gone;
  const std::lock_guard lock(mutex_);
  gone.swap(entries_);
  bytes_ = 0;
}

std::size_t ScratchCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace seedwave
