// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace seedwave {

/// Minimum distance between memory that one worker writes and memory that others use. It is two
/// cache lines, which processors fetch together. A line that two workers write moves back and forth
/// between them. One shared line in 16 KB of otherwise private memory made two threads as slow as
/// one.
inline constexpr std::size_t kApart = 128;

/// Allocator for containers whose elements must share no cache line with other data.
template <typename T>
struct ApartAllocator {
  using value_type = T;

  ApartAllocator() = default;
  template <typename Other>
  explicit ApartAllocator(const ApartAllocator<Other>& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + kApart - 1) / kApart * kApart;
    return static_cast<T*>(::operator new (bytes, std::align_val_t{kApart}));
  }
  void deallocate(T* memory, std::size_t /*count*/) noexcept {
    ::operator delete (memory, std::align_val_t{kApart});
  }
  friend bool operator==(const ApartAllocator& /*a*/, const ApartAllocator& /*b*/) noexcept {
    return true;
  }
};

/// Vector for data that a worker writes continually. The vector itself must lie in an object with
/// alignas(kApart).
template <typename T>
using ApartVector = std::vector<T, ApartAllocator<T>>;

}  // namespace seedwave
