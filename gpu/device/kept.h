// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/stream.h"

#include <cstddef>
#include <string>

/// Data that a context keeps on its device between runs, in the context's cache.
namespace seedwave::gpu {

/// Returns the name in the context's cache of an item on its device.
[[nodiscard]] std::string device_cache_name(const char* what, const Context& context);

/// Size in the cache of an item in device memory. It is zero because the cache bounds host memory.
/// The device holds one item of each name.
inline constexpr std::size_t kOnDevice = 0;

/// Returns the stream that all runs with this context's cache and device share.
[[nodiscard]] Stream stream_of(Context& context);

}  // namespace seedwave::gpu
