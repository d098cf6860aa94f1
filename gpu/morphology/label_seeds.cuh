// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/seed_set.h"
#include "gpu/device/buffer.h"
#include "gpu/device/launch.h"
#include "gpu/device/stream.h"

#include <cstdint>

namespace seedwave::gpu {

/// Puts seeds into labels. One thread per seed; no races.
template <typename L>
static __global__ void __launch_bounds__(kBlockSize)
    put_seeds_kernel(const Seed* __restrict__ seeds, std::int64_t count, L* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) labels[seeds[i].offset] = static_cast<L>(seeds[i].label);
}

/// Enqueues putting seeds into labels.
template <typename L>
void put_seeds(const DeviceBuffer<Seed>& seeds, DeviceBuffer<L>& labels, const Stream& stream) {
  if (seeds.size() == 0) return;
  put_seeds_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, stream.get()>>>(
      seeds.data(), seeds.size(), labels.data());
  check_launch(stream.get());
}

}  // namespace seedwave::gpu
