// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace seedwave {

/// Fetches the memory behind a tile's row into the cache: the same row of the next tile, which is
/// mostly read next. The processor does not expect that, since rows of a tile lie far apart. It
/// need not be there.
template <typename T>
inline void fetch_row_behind(const T* row, int count) {
  constexpr std::size_t kLine = 64;
  const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
  const char* const behind = reinterpret_cast<const char*>(row) + bytes;
  for (std::size_t at = 0; at < bytes; at += kLine)
    __builtin_prefetch(behind + at);
  // A row that does not begin with a line ends in one more.
  if (bytes > 0) __builtin_prefetch(behind + bytes - 1);
}

}  // namespace seedwave
