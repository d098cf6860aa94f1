// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace seedwave {

/// How far memory that one worker writes must lie from what others use: two cache lines, which
/// processors fetch together. A line that two write goes to and fro between them; a single one
/// shared in 16 KB of otherwise private memory made two threads as slow as one.
inline constexpr std::size_t kApart = 128;

/// For containers whose elements share no line with anything else.
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

/// What a worker writes all the time. The vector itself must lie in something alignas(kApart).
template <typename T>
using ApartVector = std::vector<T, ApartAllocator<T>>;

}  // namespace seedwave
