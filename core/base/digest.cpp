// SPDX-License-Identifier: Apache-2.0
#include "core/base/digest.h"

#define XXH_INLINE_ALL
#include <array>
#include <bit>
#include <cstdio>
#include <xxhash.h>

namespace seedwave {

static_assert(std::endian::native == std::endian::little, "digests are defined on little endian");

std::string xxh64_digest(std::span<const std::byte> bytes) {
  const XXH64_hash_t hash = XXH64(bytes.data(), bytes.size(), 0);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "xxh64:%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace seedwave
