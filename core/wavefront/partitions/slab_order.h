// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace seedwave {

/// Returns the slab that a worker visits next, one of the waiting ones (not 0); there is one. Only
/// the order of visits depends on it, not the result. Called by one thread at a time.
using NextSlab = std::function<std::int64_t(std::size_t worker, const std::vector<char>& waiting)>;

/// Returns an order that crosses the data seldom. A worker moves up and down over its own share of
/// the slabs, and turns back at once where it woke the slab behind it, which is still in the
/// caches. When its share is at rest it helps at the nearest slab that waits.
[[nodiscard]] NextSlab near_first(std::int64_t slabs, std::size_t workers);

}  // namespace seedwave
