// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace seedwave {

/// Asks for large pages where the system has them: fetching small ones took a sixth of a run.
/// Only advice; nothing changes but the time.
void prefer_large_pages(void* memory, std::size_t bytes);

/// `count` zeros.
template <typename T>
std::vector<T> large_vector(std::size_t count) {
  std::vector<T> result;
  result.reserve(count);
  prefer_large_pages(result.data(), count * sizeof(T));
  result.resize(count);
  return result;
}

/// `count` values that are not set.
template <typename T>
std::unique_ptr<T[]> large_array(std::size_t count) {
  auto result = std::make_unique_for_overwrite<T[]>(count);
  prefer_large_pages(result.get(), count * sizeof(T));
  return result;
}

/// Arrays of one size, cut from chunks of 2 MB: bricks come by the thousand, but nobody knows how
/// many will. All go at once. Thread-safe.
template <typename T>
class ArrayPool {
 public:
  /// `most`: never more arrays than that.
  ArrayPool(std::size_t length, std::size_t most) : length_(length), most_(most) {}

  /// Its contents are not set.
  [[nodiscard]] T* take() {
    const std::lock_guard lock(mutex_);
    if (next_ == per_chunk_) add_chunk();
    ++taken_;
    return chunks_.back().get() + length_ * next_++;
  }
  /// Frees all arrays.
  void clear() {
    const std::lock_guard lock(mutex_);
    chunks_.clear();
    per_chunk_ = next_ = taken_ = 0;
  }

 private:
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 21;

  struct Free {
    void operator()(T* memory) const { ::operator delete (memory, std::align_val_t{kChunkBytes}); }
  };

  void add_chunk() {
    const std::size_t bytes_each = length_ * sizeof(T);
    per_chunk_ = std::max<std::size_t>(1, std::min(kChunkBytes / bytes_each, most_ - taken_));
    // Full chunks span a large page wholly, or they would get none.
    const bool full = per_chunk_ == kChunkBytes / bytes_each;
    const std::size_t bytes = full ? kChunkBytes : per_chunk_ * bytes_each;
    auto* memory = static_cast<T*>(::operator new (bytes, std::align_val_t{kChunkBytes}));
    prefer_large_pages(memory, bytes);
    std::uninitialized_default_construct_n(memory, per_chunk_ * length_);
    chunks_.emplace_back(memory);
    next_ = 0;
  }

  std::size_t length_;
  std::size_t most_;
  std::mutex mutex_;  // guards everything below
  std::vector<std::unique_ptr<T[], Free>> chunks_;
  std::size_t per_chunk_ = 0;
  std::size_t next_ = 0;  // in the last chunk
  std::size_t taken_ = 0;
};

}  // namespace seedwave
