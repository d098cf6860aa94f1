// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/seeds.h"

#include <algorithm>

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

/// Writes value(label) at every seed. One thread per seed; no shared memory. No races: a cell has
/// at most one seed.
template <typename Value>
__global__ void __launch_bounds__(kBlockSize)
    mark_kernel(const Seed* __restrict__ seeds, std::int64_t count, Value value, Grid grid,
                std::uint16_t* __restrict__ plane) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) plane[grid.padded(seeds[i].offset)] = value(seeds[i].label);
}

/// Writes the labels of seeds into the rows of the block that contains them. As above.
__global__ void __launch_bounds__(kBlockSize)
    mark_rows_kernel(const Seed* __restrict__ seeds, std::int64_t count, Grid grid, RowBlock block,
                     std::uint16_t* __restrict__ rows) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t row = seeds[i].offset / grid.nx;
  const std::int64_t y = row % grid.ny;
  const std::int64_t z = row / grid.ny;
  if (!block.contains(y, z)) return;
  rows[block.row_of(y, z) * grid.pitch + seeds[i].offset % grid.nx] = seeds[i].label;
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

void DeviceSeeds::mark_labels(const Grid& grid, const RowBlock& block, std::uint16_t* rows,
                              const Stream& stream) const {
  const auto from_row = [&](std::int64_t y, std::int64_t z) {
    return std::lower_bound(
        host_->begin(), host_->end(), grid.nx * (y + grid.ny * z),
        [](const Seed& seed, std::int64_t offset) { return seed.offset < offset; });
  };
  const auto first = from_row(block.y0, block.z0);
  const std::int64_t count = from_row(block.y1, block.z1 - 1) - first;
  if (count <= 0) return;
  mark_rows_kernel<<<blocks_for(count), kBlockSize, 0, stream.get()>>>(
      seeds_.data() + (first - host_->begin()), count, grid, block, rows);
  check_launch(stream.get());
}

void DeviceSeeds::mark_classes(std::uint16_t object, std::uint16_t object_value,
                               std::uint16_t other_value, const Grid& grid,
                               DeviceBuffer<std::uint16_t>& plane, const Stream& stream) const {
  launch_mark(seeds_, TwoClasses{object, object_value, other_value}, grid, plane, stream);
}

}  // namespace seedwave::gpu
