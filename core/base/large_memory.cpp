// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"

#include <memory>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace seedwave {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t kPage = 4096;
  if (bytes < kLargePage / 2) return;
  // Only whole pages inside the memory: neighbouring memory is not ours to advise on.
  void* first = memory;
  std::size_t left = bytes;
  if (std::align(kPage, kPage, first, left) == nullptr) return;
  madvise(first, left / kPage * kPage, MADV_HUGEPAGE);
#endif
}

}  // namespace seedwave
