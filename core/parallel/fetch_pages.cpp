// SPDX-License-Identifier: Apache-2.0
#include "core/parallel/fetch_pages.h"

#include "core/base/scratch_files.h"
#include "core/parallel/parallel_for.h"

#include <cstdint>

namespace seedwave {

void fetch_pages(Context& context, void* memory, std::size_t bytes) {
  if (context.threads() == 1 || bytes < kLargePage || scratch::holds(memory)) return;
  auto* const first = static_cast<std::byte*>(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  // Touches one byte of each large page. The byte at the start of the array touches the first page.
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
