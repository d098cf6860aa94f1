// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/landings.h"

#include "gpu/device/kept.h"

#include <bit>
#include <string>

namespace seedwave::gpu {
namespace {

/// Locking memory takes a few ms. That is longer than a pageable copy of kFewBytes, and about as
/// long as one of kFewBytesOnce.
constexpr std::int64_t kFewBytes = 1 << 21;
constexpr std::int64_t kFewBytesOnce = 1 << 25;

/// At most three blocks count as zero in the cache's bound. The bound of slabs is close to zero,
/// and locking memory again at each visit would take longer than the visit.
constexpr std::size_t kNotCounted = 0;

std::string landings_name(const Context& context) {
  return device_cache_name("landings", context);
}

}  // namespace

std::shared_ptr<Landings> landings_for(std::int64_t bytes, Context& context) {
  const std::string name = landings_name(context);
  if (auto kept = context.cache().find<Landings>(name); kept && kept->bytes >= bytes) return kept;
  // Rounded up, so that the next result, of a similar size, fits too.
  auto fresh = std::make_shared<Landings>(
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(bytes))));
  context.cache().put(name, fresh, kNotCounted);
  return fresh;
}

/// After one copy of middle size, up or down, another is expected.
bool is_worth_locking(std::int64_t bytes, Context& context) {
  struct HadOne {};
  if (context.cache().find<Landings>(landings_name(context))) return true;
  if (bytes <= kFewBytes) return false;
  if (bytes > kFewBytesOnce) return true;
  const std::string name = device_cache_name("downloaded", context);
  if (context.cache().find<HadOne>(name)) return true;
  context.cache().put(name, std::make_shared<HadOne>(), sizeof(HadOne));
  return false;
}

}  // namespace seedwave::gpu
