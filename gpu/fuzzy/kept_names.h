// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/kept.h"
#include "gpu/device/stream.h"

/// What connectedness keeps on the device from one run to the next, by name.
namespace seedwave::gpu::kept {

inline constexpr const char* kScene = "scene";
inline constexpr const char* kAffinity = "affinity";
inline constexpr const char* kBrickAffinity = "brick_affinity";
inline constexpr const char* kBrickResult = "brick_result";

/// Gives all of it back, for a run that needs the memory itself. Waits for the stream, so that it
/// is seen to be free.
inline void give_back_all(Context& context, const Stream& stream) {
  for (const char* what : {kScene, kAffinity, kBrickAffinity, kBrickResult})
    context.cache().put(device_cache_name(what, context), nullptr, 0);
  stream.synchronize();
}

}  // namespace seedwave::gpu::kept
