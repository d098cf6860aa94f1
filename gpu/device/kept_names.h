// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"
#include "gpu/device/kept.h"
#include "gpu/device/stream.h"

/// Names of the items that runs keep on the device for the next one.
namespace seedwave::gpu::kept {

inline constexpr const char* kScene = "scene";
inline constexpr const char* kAffinity = "affinity";
inline constexpr const char* kBrickAffinity = "brick_affinity";
inline constexpr const char* kBrickResult = "brick_result";
inline constexpr const char* kImage = "image";
inline constexpr const char* kMask = "mask";
inline constexpr const char* kCapacities = "capacities";

/// Frees all of them, for a run that needs the memory. Synchronises the stream, so that the memory
/// counts as free.
inline void give_back_all(Context& context, const Stream& stream) {
  for (const char* what :
       {kScene, kAffinity, kBrickAffinity, kBrickResult, kImage, kMask, kCapacities})
    context.cache().put(device_cache_name(what, context), nullptr, 0);
  stream.synchronize();
}

}  // namespace seedwave::gpu::kept
