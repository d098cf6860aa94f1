// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

/// Makes the n-th allocation of this program fail. Include it in one file of a test that is linked
/// with -Wl,--wrap=calloc. Counts operator new in all its forms and calloc of the project's own
/// libraries (core/base/large_memory.h), on all threads.
namespace seedwave::test {

/// Number of allocations until one fails: it fails at 1. Below 1: none fails.
inline std::atomic<std::int64_t> allocations_left = 0;

/// Returns whether the next allocation fails. One fails; those after it succeed.
inline bool next_allocation_fails() noexcept {
  return allocations_left.load(std::memory_order_relaxed) > 0 && allocations_left.fetch_sub(1) == 1;
}

/// Makes the n-th allocation from its construction on fail during its lifetime.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::int64_t number) { allocations_left = number; }
  ~FailingAllocation() { allocations_left = 0; }
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  /// Returns false if there were fewer allocations.
  [[nodiscard]] bool failed() const { return allocations_left <= 0; }
};

/// Returns the allocation to fail after `number`: each of the first `all`, then in steps of a
/// tenth.
inline std::int64_t next_to_fail(std::int64_t number, std::int64_t all) {
  return number < all ? number + 1 : number + number / 10;
}

inline void* allocate(std::size_t size, std::size_t alignment) {
  void* memory = nullptr;
  if (next_allocation_fails() ||
      posix_memalign(&memory, std::max(alignment, alignof(std::max_align_t)),
                     std::max<std::size_t>(1, size)) != 0) {
    throw std::bad_alloc();
  }
  return memory;
}

}  // namespace seedwave::test

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" void* __real_calloc(std::size_t count, std::size_t size);
extern "C" void* __wrap_calloc(std::size_t count, std::size_t size) {
  return seedwave::test::next_allocation_fails() ? nullptr : __real_calloc(count, size);
}
// NOLINTEND(bugprone-reserved-identifier)

void* operator new(std::size_t size) {
  return seedwave::test::allocate(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return seedwave::test::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return seedwave::test::allocate(size, 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
