// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace seedwave {

/// What runs keep for the next run, by name: affinities, smoothed images, device memory.
///
/// Bounded by bytes: the least recently used entries go first. Thread-safe. An entry that a run
/// holds stays alive until the run lets go.
class ScratchCache {
 public:
  explicit ScratchCache(std::size_t most_bytes = std::size_t{2} << 30) : most_bytes_(most_bytes) {}

  /// The entry, or null. `T` must be the type it was put with.
  template <typename T>
  [[nodiscard]] std::shared_ptr<T> find(const std::string& key) {
    return std::static_pointer_cast<T>(find_any(key));
  }
  /// The entry, or null, and it is no longer here: for one that its user will change, and which
  /// nobody may find while that is half done.
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
