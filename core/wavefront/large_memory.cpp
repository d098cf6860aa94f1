// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/large_memory.h"

#include "core/parallel/context.h"
#include "core/parallel/parallel_for.h"

#include <cstdint>
#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace seedwave {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t kPage = 4096;
  if (bytes < kLargePage / 2) return;
  // Whole pages inside the memory: what lies beside it is not ours to speak for.
  void* first = memory;
  std::size_t left = bytes;
  if (std::align(kPage, kPage, first, left) == nullptr) return;
  madvise(first, left / kPage * kPage, MADV_HUGEPAGE);
#endif
}

void fetch_pages(Context& context, void* memory, std::size_t bytes) {
  if (context.threads() == 1 || bytes < kLargePage) return;
  auto* const first = static_cast<std::byte*>(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  // One byte of each large page: the first one is reached by the byte that the array starts with.
  const std::size_t to_next = kLargePage - address % kLargePage;
  const auto pages = static_cast<std::int64_t>(1 + (bytes - to_next + kLargePage - 1) / kLargePage);
  parallel_for(context, pages, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t page = begin; page < end; ++page) {
      const std::size_t at =
          page == 0 ? 0 : to_next + static_cast<std::size_t>(page - 1) * kLargePage;
      static_cast<volatile std::byte*>(first)[at] = std::byte{0};
    }
  });
}

}  // namespace seedwave
