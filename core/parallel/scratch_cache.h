// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace seedwave {

/// Named data that runs keep for the next run: affinities, smoothed images, device memory.
///
/// Bounded in bytes: the least recently used entries are evicted first. Thread-safe. An entry that
/// a run holds stays alive until the run releases it.
class ScratchCache {
 public:
  explicit ScratchCache(std::size_t most_bytes = std::size_t{2} << 30) : most_bytes_(most_bytes) {}

  /// Returns the entry, or null. `T` must be the type of the stored entry.
  template <typename T>
  [[nodiscard]] std::shared_ptr<T> find(const std::string& key) {
    return std::static_pointer_cast<T>(find_any(key));
  }
  /// Removes and returns the entry, or null. For an entry that the caller will change, so that
  /// nobody finds it half changed.
  template <typename T>
  [[nodiscard]] std::shared_ptr<T> take(const std::string& key) {
    return std::static_pointer_cast<T>(take_any(key));
  }
  /// Replaces the entry of that name. An entry larger than the bound is not kept.
  void put(const std::string& key, std::shared_ptr<void> entry, std::size_t bytes);
  void clear();
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<void> value;
    std::size_t bytes;
  };
  std::shared_ptr<void> find_any(const std::string& key);
  std::shared_ptr<void> take_any(const std::string& key);

  std::size_t most_bytes_;
  mutable std::mutex mutex_;  // guards entries_ and bytes_
  std::list<Entry> entries_;  // most recently used first
  std::size_t bytes_ = 0;
};

}  // namespace seedwave
