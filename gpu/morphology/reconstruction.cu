// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/devices.h"
#include "gpu/device/stage_clock.h"
#include "gpu/morphology/plane_reconstruction.cuh"
#include "gpu/morphology/reconstruction.h"
#include "gpu/morphology/volume_reconstruction.cuh"

namespace seedwave::gpu {
namespace {

/// OnDevice: PlaneOnDevice or VolumeOnDevice.
template <typename OnDevice>
Reconstruction reconstruct_on(const ReconstructionProblem& problem, Context& context) {
  const Stream stream;
  StageClock clock(context, stream);
  clock.begin("upload");
  OnDevice device(problem, stream);
  clock.begin("propagate");
  device.run(problem.connectivity, context, stream);
  clock.begin("download");
  auto voxels = device.voxels(stream);
  clock.report();
  return {Volume(problem.mask.geometry(), std::move(voxels)), device.clipped(stream)};
}

}  // namespace

Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem, Context& context) {
  check_reconstruction(problem);
  use_device(context.device());
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if (problem.mask.geometry().is_2d()) {
      return reconstruct_on<PlaneOnDevice<Voxel>>(problem, context);
    }
    return reconstruct_on<VolumeOnDevice<Voxel>>(problem, context);
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
