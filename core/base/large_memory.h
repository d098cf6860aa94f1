// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave {

/// Requests large pages if the system has them: page faults of small ones took a sixth of a run. It
/// is advice only, and changes nothing but the time.
void prefer_large_pages(void* memory, std::size_t bytes);

/// Returns an empty vector with room for `count` values in large pages.
template <typename T>
std::vector<T> reserved_large(std::size_t count) {
  std::vector<T> result;
  result.reserve(count);
  prefer_large_pages(result.data(), count * sizeof(T));
  return result;
}

/// Returns `count` zeros.
template <typename T>
std::vector<T> large_vector(std::size_t count) {
  auto result = reserved_large<T>(count);
  result.resize(count);
  return result;
}

/// Returns a copy.
template <typename T>
std::vector<T> large_copy(std::span<const T> values) {
  auto result = reserved_large<T>(values.size());
  result.assign(values.begin(), values.end());
  return result;
}

/// Returns `lines` lines of `length` values each, which fill(line, values) writes one after the
/// other. The memory is not set to zeros first, which would take as long as the page faults.
template <typename T, typename Fill>
std::vector<T> large_vector_of_lines(std::size_t lines, std::size_t length, Fill&& fill) {
  auto result = reserved_large<T>(lines * length);
  std::vector<T> values(length);
  for (std::size_t line = 0; line < lines; ++line) {
    fill(line, values.data());
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

struct FreeLarge {
  std::align_val_t alignment{};
  void operator()(void* memory) const { ::operator delete(memory, alignment); }
};
template <typename T>
using LargeArray = std::unique_ptr<T[], FreeLarge>;

/// Whole lets an array take its last large page entirely if it needs more than half of it.
enum class LastPage { Exact, Whole };

/// Returns `count` uninitialized values. An array that fills a large page starts with one;
/// otherwise up to two megabytes at each end would be in small ones.
template <typename T>
LargeArray<T> large_array(std::size_t count, LastPage last = LastPage::Exact) {
  static_assert(std::is_trivially_default_constructible_v<T>);
  static_assert(std::is_trivially_destructible_v<T>);
  std::size_t bytes = count * sizeof(T);
  const std::size_t rest = bytes % kLargePage;
  if (last == LastPage::Whole && rest >= kLargePage / 2) bytes += kLargePage - rest;
  const std::align_val_t alignment{bytes < kLargePage ? alignof(std::max_align_t) : kLargePage};
  void* memory = ::operator new(bytes, alignment);
  prefer_large_pages(memory, bytes);
  return LargeArray<T>(static_cast<T*>(memory), FreeLarge{alignment});
}

struct FreeZeros {
  void operator()(void* memory) const { std::free(memory); }
};
template <typename T>
using SparseZeros = std::unique_ptr<T[], FreeZeros>;

/// Returns `count` zeros. Pages that are never written take no memory and no time. For large tables
/// that stay mostly empty.
template <typename T>
SparseZeros<T> sparse_zeros(std::size_t count) {
  static_assert(std::is_arithmetic_v<T>);
  auto* memory = static_cast<T*>(std::calloc(count, sizeof(T)));
  if (memory == nullptr) throw std::bad_alloc();
  return SparseZeros<T>(memory);
}

/// A pool of arrays of one size, cut from chunks of 2 MB: bricks are needed by the thousand, in a
/// number not known beforehand. All are freed at once. Thread-safe.
template <typename T>
class ArrayPool {
 public:
  /// `most`: the maximum number of arrays.
  ArrayPool(std::size_t length, std::size_t most) : length_(length), most_(most) {}

  /// Returns an array. Its contents are uninitialized.
  [[nodiscard]] T* take() {
    const std::lock_guard lock(mutex_);
    if (next_ == per_chunk_) add_chunk();
    ++taken_;
    return chunks_.back().get() + length_ * next_++;
  }
  /// Returns the bytes of memory held.
  [[nodiscard]] std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  /// Frees all arrays.
  void clear() {
    const std::lock_guard lock(mutex_);
    chunks_.clear();
    per_chunk_ = next_ = taken_ = bytes_ = 0;
  }

 private:
  static constexpr std::size_t kChunkBytes = kLargePage;

  /// Changes nothing if memory runs out: a later take() tries again.
  void add_chunk() {
    const std::size_t bytes_each = length_ * sizeof(T);
    const std::size_t count =
        std::max<std::size_t>(1, std::min(kChunkBytes / bytes_each, most_ - taken_));
    // A full chunk spans a whole large page, or it would not get one.
    const bool full = count == kChunkBytes / bytes_each;
    const std::size_t bytes = full ? kChunkBytes : count * bytes_each;
    constexpr std::align_val_t kAlignment{kChunkBytes};
    LargeArray<T> chunk(static_cast<T*>(::operator new(bytes, kAlignment)), FreeLarge{kAlignment});
    prefer_large_pages(chunk.get(), bytes);
    std::uninitialized_default_construct_n(chunk.get(), count * length_);
    chunks_.push_back(std::move(chunk));
    bytes_ += bytes;
    per_chunk_ = count;
    next_ = 0;
  }

  std::size_t length_;
  std::size_t most_;
  mutable std::mutex mutex_;  // guards everything below
  std::vector<LargeArray<T>> chunks_;
  std::size_t per_chunk_ = 0;
  std::size_t next_ = 0;  // index in the last chunk
  std::size_t taken_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace seedwave
