// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/stream.h"

#include <cstddef>
#include <string>

/// What a context keeps on its device from one run to the next, in the context's cache.
namespace seedwave::gpu {

/// What a context's cache calls a thing on its device.
[[nodiscard]] std::string device_cache_name(const char* what, const Context& context);

/// What memory on the device counts there: the cache bounds the host's. On the device one of each
/// name is kept.
inline constexpr std::size_t kOnDevice = 0;

/// The stream that all runs with this context's cache and device share.
[[nodiscard]] Stream stream_of(Context& context);

}  // namespace seedwave::gpu
