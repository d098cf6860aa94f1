// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Touches the pages of uninitialised memory on all threads, so the system maps them. With one
/// thread they are mapped on first use. If two threads first touch the same large page at the same
/// time, both clear a page, and one does so in vain. Workers on neighbouring tiles or rows would do
/// that all the time. Does nothing for an array in a file, whose pages are in memory only while
/// they are used.
void fetch_pages(Context& context, void* memory, std::size_t bytes);

/// Calls large_vector() and maps its pages on all threads.
template <typename T>
std::vector<T> large_vector(Context& context, std::size_t count) {
  auto result = reserved_large<T>(count);
  fetch_pages(context, result.data(), count * sizeof(T));
  result.resize(count);
  return result;
}

/// Calls large_array() and maps its pages on all threads.
template <typename T>
LargeArray<T> large_array(Context& context, std::size_t count, LastPage last = LastPage::Exact) {
  auto result = large_array<T>(count, last);
  fetch_pages(context, result.get(), count * sizeof(T));
  return result;
}

}  // namespace seedwave
