// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed_scene.h"
#include "core/wavefront/watershed_rules.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/launch.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/morphology/watershed.h"
#include "gpu/wavefront/rule_tiles.cuh"

#include <limits>
#include <vector>

namespace seedwave::gpu {
namespace {

/// More than any plateau has.
using Hops = std::uint32_t;

/// Voxels become cells where they lie; how altitudes start. markers: those inside the mask. One
/// thread a voxel; no races.
template <typename Voxel>
__global__ void __launch_bounds__(kBlockSize)
    begin_kernel(CellOf<Voxel>* f, const std::uint16_t* markers, std::uint8_t* takes,
                 CellOf<Voxel>* altitudes, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i >= count) return;
  const bool marker = markers[i] != 0;
  f[i] = cell_from_bits<Voxel>(f[i], false);
  if (marker) takes[i] = 0;
  altitudes[i] = marker ? f[i] : std::numeric_limits<CellOf<Voxel>>::max();
}

/// How hops start, and labels, which from here on are one less (BasinRule). One thread a cell; no
/// races.
template <typename Cell>
__global__ void __launch_bounds__(kBlockSize)
    begin_hops_kernel(const Cell* f, const Cell* altitudes, const std::uint8_t* takes,
                      const RuleGrid grid, std::uint16_t* labels, Hops* hops, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i >= count) return;
  bool lower = false;
  for (int s = 0; s < grid.steps; ++s)
    lower |= grid.leads_inside(i, s) && altitudes[i + grid.offset[s]] < altitudes[i];
  const bool in = comes_in(f[i], altitudes[i], takes[i] != 0, lower);
  hops[i] = in || labels[i] != 0 ? 0 : HopsRule<Cell, Hops>::kFar;
  labels[i] = static_cast<std::uint16_t>(labels[i] - 1);
}

/// Labels as they are counted elsewhere. One thread a cell; no races.
__global__ void __launch_bounds__(kBlockSize)
    end_kernel(std::uint16_t* labels, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i < count) labels[i] = static_cast<std::uint16_t>(labels[i] + 1);
}

/// 0 where a cell lies outside the mask.
std::vector<std::uint8_t> mask_of(const WatershedProblem& problem) {
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(problem.image.geometry().voxel_count()));
  for (std::int64_t i = 0; i < std::ssize(mask); ++i)
    mask[static_cast<std::size_t>(i)] = watershed::is_masked_out(problem, i) ? 0 : 1;
  return mask;
}

template <typename Voxel>
WatershedLabels basins_of(const WatershedProblem& problem, Context& context) {
  using Cell = CellOf<Voxel>;
  const Index3 size = problem.image.geometry().size;
  const std::int64_t count = problem.image.geometry().voxel_count();
  WatershedLabels labels = watershed::inner_markers(problem);
  const std::vector<std::uint8_t> mask = mask_of(problem);
  DeviceRun run(context);
  const Stream& stream = run.stream;
  run.clock.begin("upload");
  DeviceBuffer<Cell> f(count, stream);
  DeviceBuffer<Cell> altitudes(count, stream);
  DeviceBuffer<std::uint8_t> takes(count, stream);
  DeviceBuffer<Hops> hops(count, stream);
  DeviceBuffer<std::uint16_t> basins(count, stream);
  f.copy_from(bits_of<Voxel>(problem.image), stream);
  takes.copy_from(mask, stream);
  basins.copy_from(labels, stream);
  run.clock.begin("altitudes");
  const unsigned blocks = blocks_for(count);
  begin_kernel<Voxel><<<blocks, kBlockSize, 0, stream.get()>>>(
      f.data(), basins.data(), takes.data(), altitudes.data(), count);
  check_launch(stream.get());
  run_rule(AltitudeRule<Cell>{f.data(), takes.data()}, size, problem.connectivity, altitudes,
           context, stream);
  run.clock.begin("hops");
  begin_hops_kernel<<<blocks, kBlockSize, 0, stream.get()>>>(
      f.data(), altitudes.data(), takes.data(), RuleGrid::of(size, problem.connectivity),
      basins.data(), hops.data(), count);
  check_launch(stream.get());
  run_rule(HopsRule<Cell, Hops>{altitudes.data(), takes.data()}, size, problem.connectivity, hops,
           context, stream);
  run.clock.begin("labels");
  run_rule(BasinRule<Cell, Hops>{altitudes.data(), hops.data(), takes.data()}, size,
           problem.connectivity, basins, context, stream);
  end_kernel<<<blocks, kBlockSize, 0, stream.get()>>>(basins.data(), count);
  check_launch(stream.get());
  run.clock.begin("download");
  basins.copy_to(labels, stream);
  run.clock.report();
  return labels;
}

}  // namespace

WatershedLabels watershed_by_tiles(const WatershedProblem& problem, Context& context) {
  watershed::check(problem);
  return visit_voxels(problem.image, [&](auto voxels) {
    return basins_of<typename decltype(voxels)::value_type>(problem, context);
  });
}

std::int64_t watershed_bytes(const Geometry& geometry, VoxelType type) {
  const auto cell = static_cast<std::int64_t>(2 * bytes_of(type) + 1 + 4 + 2);
  return geometry.voxel_count() * cell + DeviceQueue::bytes(geometry.voxel_count());
}

}  // namespace seedwave::gpu
