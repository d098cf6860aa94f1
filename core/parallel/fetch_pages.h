// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/large_memory.h"
#include "core/parallel/context.h"

#include <cstddef>
#include <vector>

namespace seedwave {

/// Has the system fetch the pages of memory whose contents do not count yet, shared out among the
/// threads; with one thread they come when they are used. Of two threads that come to the same
/// large page first at the same time, both clear one, and one of them for nothing: workers on
/// neighbouring tiles or rows do that all the time.
void fetch_pages(Context& context, void* memory, std::size_t bytes);

/// large_vector(), its pages fetched on all threads.
template <typename T>
std::vector<T> large_vector(Context& context, std::size_t count) {
  auto result = reserved_large<T>(count);
  fetch_pages(context, result.data(), count * sizeof(T));
  result.resize(count);
  return result;
}

/// large_array(), its pages fetched on all threads.
template <typename T>
LargeArray<T> large_array(Context& context, std::size_t count, LastPage last = LastPage::Exact) {
  auto result = large_array<T>(count, last);
  fetch_pages(context, result.get(), count * sizeof(T));
  return result;
}

}  // namespace seedwave
