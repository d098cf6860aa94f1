// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

/// Counts the requests to operator new in this program. Include it in one file of a test.
namespace seedwave::test {

inline std::atomic<std::int64_t> bytes_now = 0;
inline std::atomic<std::int64_t> most_bytes = 0;

/// The maximum number of bytes in use since construction, minus those in use at construction.
class CountedMemory {
 public:
  CountedMemory() : before_(bytes_now) { most_bytes = bytes_now.load(); }
  [[nodiscard]] std::int64_t most() const { return most_bytes - before_; }

 private:
  std::int64_t before_;
};

/// Returns the size of the header before the memory. The header holds the block's size at its end
/// and preserves the alignment.
inline std::size_t head_for(std::size_t alignment) {
  return std::max(alignment, alignof(std::max_align_t));
}

inline void* take_counted(std::size_t size, std::size_t alignment) {
  const std::size_t head = head_for(alignment);
  void* memory = nullptr;
  if (posix_memalign(&memory, head, head + size) != 0) throw std::bad_alloc();
  char* const first = static_cast<char*>(memory) + head;
  std::memcpy(first - sizeof size, &size, sizeof size);
  const std::int64_t now = bytes_now += static_cast<std::int64_t>(size);
  std::int64_t most = most_bytes;
  while (most < now && !most_bytes.compare_exchange_weak(most, now)) {
  }
  return first;
}

inline void free_counted(void* memory, std::size_t alignment) noexcept {
  if (memory == nullptr) return;
  char* const first = static_cast<char*>(memory);
  std::size_t size = 0;
  std::memcpy(&size, first - sizeof size, sizeof size);
  bytes_now -= static_cast<std::int64_t>(size);
  std::free(first - head_for(alignment));
}

}  // namespace seedwave::test

void* operator new(std::size_t size) {
  return seedwave::test::take_counted(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return seedwave::test::take_counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return seedwave::test::take_counted(size, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  seedwave::test::free_counted(memory, 1);
}
void operator delete(void* memory, std::size_t) noexcept {
  seedwave::test::free_counted(memory, 1);
}
void operator delete(void* memory, std::align_val_t alignment) noexcept {
  seedwave::test::free_counted(memory, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory, std::size_t, std::align_val_t alignment) noexcept {
  seedwave::test::free_counted(memory, static_cast<std::size_t>(alignment));
}
