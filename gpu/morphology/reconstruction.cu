// SPDX-License-Identifier: Apache-2.0
#include "core/wavefront/large_memory.h"
#include "gpu/device/counter.h"
#include "gpu/device/device_run.h"
#include "gpu/morphology/plane_reconstruction.cuh"
#include "gpu/morphology/reconstruction.h"
#include "gpu/morphology/volume_reconstruction.cuh"

namespace seedwave::gpu {
namespace {

/// OnDevice: PlaneOnDevice or VolumeOnDevice.
template <template <typename> typename OnDevice, typename Voxel>
Reconstruction reconstruct_on(const ReconstructionProblem& problem, Context& context) {
  const Geometry& geometry = problem.mask.geometry();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  auto voxels = large_array<Voxel>(count);
  DeviceRun run(context);
  run.clock.begin("upload");
  OnDevice<Voxel> device(problem, run.stream);
  DeviceCounter clipped(run.stream);
  run.clock.begin("propagate");
  device.run(problem.connectivity, clipped, context, run.stream);
  run.clock.begin("download");
  device.download(bits_in<Voxel>({voxels.get(), count}), run.stream);
  run.clock.report();
  return {Volume(geometry, std::move(voxels)), clipped.read(run.stream)};
}

}  // namespace

Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem, Context& context) {
  check_reconstruction(problem);
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if (problem.mask.geometry().is_2d()) {
      return reconstruct_on<PlaneOnDevice, Voxel>(problem, context);
    }
    return reconstruct_on<VolumeOnDevice, Voxel>(problem, context);
  });
}

std::int64_t reconstruction_bytes(const Geometry& geometry, VoxelType type) {
  if (!geometry.is_2d()) {
    return geometry.voxel_count() * 2 * static_cast<std::int64_t>(bytes_of(type)) +
           DeviceQueue::bytes(geometry.voxel_count());
  }
  switch (bytes_of(type)) {
    case 1:
      return PlaneOnDevice<std::uint8_t>::bytes(geometry.size);
    case 2:
      return PlaneOnDevice<std::uint16_t>::bytes(geometry.size);
    default:
      return PlaneOnDevice<std::int32_t>::bytes(geometry.size);
  }
}

}  // namespace seedwave::gpu
