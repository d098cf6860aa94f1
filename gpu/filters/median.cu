// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/filters/median.h"
#include "core/wavefront/ordered_cells.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/filters/filters.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace seedwave::gpu {
namespace {

/// Comparisons of one launch, about a tenth of a second. Between launches a stop is looked for.
constexpr std::int64_t kComparisonsPerLaunch = std::int64_t{1} << 36;

/// An offset of the ball, as steps along the axes and as a number of cells.
struct BallOffset {
  int x;
  int y;
  int z;
  std::int64_t cells;
};

struct MedianGrid {
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t nz;
  int reach_x;
  int reach_y;
  int reach_z;
};

/// Converts voxels to ordered cells. One thread per voxel; no races.
template <typename T>
__global__ void __launch_bounds__(kBlockSize)
    cells_kernel(const T* voxels, std::int64_t count, CellOf<T>* cells) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) cells[i] = to_cell(voxels[i], false);
}

/// Returns the middle one of the `number` values value(k), found bit by bit; `number` is odd.
template <typename Value>
__device__ std::int32_t middle_of(const Value& value, int number) {
  std::int32_t least = value(0);
  std::int32_t most = least;
  for (int k = 1; k < number; ++k) {
    const std::int32_t each = value(k);
    least = min(least, each);
    most = max(most, each);
  }
  // In the order of signed numbers the highest bit is inverted; it is cleared to be set.
  const int bits = 32 - __clz(least ^ most);
  const std::uint32_t lower = bits == 32 ? 0xFFFFFFFFU : (1U << bits) - 1U;
  constexpr std::uint32_t kSign = 0x80000000U;
  std::uint32_t kept = ((static_cast<std::uint32_t>(least) ^ kSign) & ~lower) ^ kSign;
  for (int bit = bits - 1; bit >= 0; --bit) {
    const auto tried = static_cast<std::int32_t>(kept ^ (1U << bit));
    int below = 0;
    for (int k = 0; k < number; ++k)
      below += value(k) < tried ? 1 : 0;
    if (below <= number / 2) kept = static_cast<std::uint32_t>(tried);
  }
  return static_cast<std::int32_t>(kept);
}

/// Computes the median of a voxel. One thread per voxel of first..end - 1; no shared memory; no
/// races. Threads whose ball lies inside the image need no care for the border.
template <typename T>
__global__ void __launch_bounds__(kBlockSize)
    median_kernel(const CellOf<T>* __restrict__ cells, const MedianGrid grid,
                  const BallOffset* __restrict__ ball, int number, std::int64_t first,
                  std::int64_t end, T* __restrict__ medians) {
  const std::int64_t i = first + std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const std::int64_t x = i % grid.nx;
  const std::int64_t y = i / grid.nx % grid.ny;
  const std::int64_t z = i / (grid.nx * grid.ny);
  const bool inside = x >= grid.reach_x && x < grid.nx - grid.reach_x && y >= grid.reach_y &&
                      y < grid.ny - grid.reach_y && z >= grid.reach_z && z < grid.nz - grid.reach_z;
  std::int32_t middle = 0;
  if (inside) {
    const CellOf<T>* const here = cells + i;
    middle =
        middle_of([&](int k) { return static_cast<std::int32_t>(here[ball[k].cells]); }, number);
  } else {
    const auto clamped = [](std::int64_t at, std::int64_t length) {
      return at < 0 ? std::int64_t{0} : (at < length ? at : length - 1);
    };
    middle = middle_of(
        [&](int k) {
          const BallOffset offset = ball[k];
          const std::int64_t row =
              clamped(z + offset.z, grid.nz) * grid.ny + clamped(y + offset.y, grid.ny);
          return static_cast<std::int32_t>(cells[row * grid.nx + clamped(x + offset.x, grid.nx)]);
        },
        number);
  }
  medians[i] = from_cell<T>(static_cast<CellOf<T>>(middle), false);
}

std::vector<BallOffset> offsets_on(const std::vector<Index3>& ball, const Index3& size) {
  std::vector<BallOffset> offsets;
  for (const Index3& offset : ball) {
    offsets.push_back({static_cast<int>(offset[0]), static_cast<int>(offset[1]),
                       static_cast<int>(offset[2]),
                       (offset[2] * size[1] + offset[1]) * size[0] + offset[0]});
  }
  return offsets;
}

MedianGrid grid_for(const std::vector<Index3>& ball, const Index3& size) {
  MedianGrid grid{size[0], size[1], size[2], 0, 0, 0};
  for (const Index3& offset : ball) {
    grid.reach_x = std::max(grid.reach_x, static_cast<int>(offset[0]));
    grid.reach_y = std::max(grid.reach_y, static_cast<int>(offset[1]));
    grid.reach_z = std::max(grid.reach_z, static_cast<int>(offset[2]));
  }
  return grid;
}

template <typename T>
LargeArray<T> medians_on_device(std::span<const T> voxels, const Geometry& geometry,
                                const std::vector<Index3>& ball, Context& context) {
  const std::int64_t count = geometry.voxel_count();
  const MedianGrid grid = grid_for(ball, geometry.size);
  const std::vector<BallOffset> offsets = offsets_on(ball, geometry.size);
  auto result = large_array<T>(voxels.size());
  DeviceRun run(context);
  const Stream& stream = run.stream;
  run.clock.begin("upload");
  DeviceBuffer<T> image(count, stream);
  image.copy_from(voxels, stream);
  const DeviceBuffer<BallOffset> on_device = uploaded(offsets, stream);
  run.clock.begin("median");
  DeviceBuffer<CellOf<T>> cells(count, stream);
  cells_kernel<<<blocks_for(count), kBlockSize, 0, stream.get()>>>(image.data(), count,
                                                                   cells.data());
  check_launch(stream.get());
  const auto number = static_cast<int>(offsets.size());
  const std::int64_t rounds = static_cast<std::int64_t>(8 * sizeof(T)) * number;
  const std::int64_t at_once = std::max<std::int64_t>(1 << 16, kComparisonsPerLaunch / rounds);
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t end = std::min(count, first + at_once);
    median_kernel<<<blocks_for(end - first), kBlockSize, 0, stream.get()>>>(
        cells.data(), grid, on_device.data(), number, first, end, image.data());
    check_launch(stream.get());
    if (end < count) stream.synchronize();
    context.checkpoint(static_cast<double>(end) / static_cast<double>(count));
  }
  run.clock.begin("download");
  download(image, std::span(result.get(), voxels.size()), context, stream);
  run.clock.report();
  return result;
}

}  // namespace

Volume median_filtered(const Volume& image, double radius, Context& context) {
  check_for_median(image);
  const std::vector<Index3> ball = ball_offsets(radius, image.geometry());
  return visit_voxels(image, [&]<typename T>(std::span<const T> voxels) {
    return Volume(image.geometry(), medians_on_device(voxels, image.geometry(), ball, context));
  });
}

std::int64_t median_bytes(const Volume& image) {
  const auto voxel = static_cast<std::int64_t>(bytes_of(image.type()));
  return image.geometry().voxel_count() * 2 * voxel +
         kMostMedianVoxels * static_cast<std::int64_t>(sizeof(BallOffset)) + kBufferEnds;
}

}  // namespace seedwave::gpu
