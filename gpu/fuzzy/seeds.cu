// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/seeds.h"

namespace seedwave::gpu {
namespace {

struct SameValue {
  std::uint16_t value;
  __device__ std::uint16_t operator()(std::uint16_t) const { return value; }
};

struct OwnLabel {
  __device__ std::uint16_t operator()(std::uint16_t label) const { return label; }
};

struct TwoClasses {
  std::uint16_t object;
  std::uint16_t object_value;
  std::uint16_t other_value;
  __device__ std::uint16_t operator()(std::uint16_t label) const {
    return label == object ? object_value : other_value;
  }
};

/// Writes value(label) at every seed. One thread a seed; no shared memory; no races: a cell has at
/// most one seed.
template <typename Value>
__global__ void __launch_bounds__(kBlockSize)
    mark_kernel(const Seed* __restrict__ seeds, std::int64_t count, Value value, Grid grid,
                std::uint16_t* __restrict__ plane) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) plane[grid.padded(seeds[i].offset)] = value(seeds[i].label);
}

template <typename Value>
void launch_mark(const DeviceBuffer<Seed>& seeds, Value value, const Grid& grid,
                 DeviceBuffer<std::uint16_t>& plane, const Stream& stream) {
  if (seeds.size() == 0) return;
  mark_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, stream.get()>>>(seeds.data(), seeds.size(),
                                                                         value, grid, plane.data());
  check_launch(stream.get());
}

}  // namespace

void DeviceSeeds::mark(std::uint16_t value, const Grid& grid, DeviceBuffer<std::uint16_t>& plane,
                       const Stream& stream) const {
  launch_mark(seeds_, SameValue{value}, grid, plane, stream);
}

void DeviceSeeds::mark_labels(const Grid& grid, DeviceBuffer<std::uint16_t>& plane,
                              const Stream& stream) const {
  launch_mark(seeds_, OwnLabel{}, grid, plane, stream);
}

void DeviceSeeds::mark_classes(std::uint16_t object, std::uint16_t object_value,
                               std::uint16_t other_value, const Grid& grid,
                               DeviceBuffer<std::uint16_t>& plane, const Stream& stream) const {
  launch_mark(seeds_, TwoClasses{object, object_value, other_value}, grid, plane, stream);
}

}  // namespace seedwave::gpu
