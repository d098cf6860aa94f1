// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_memory.h"
#include "core/morphology/reconstruction.h"
#include "core/morphology/reconstruction_in_slabs.h"
#include "core/parallel/fetch_pages.h"
#include "core/wavefront/partitions/one_device.h"
#include "core/wavefront/reconstruction_rule.h"
#include "gpu/device/buffer.h"
#include "gpu/device/counter.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/memory.h"
#include "gpu/device/upload.h"
#include "gpu/morphology/cells_in_place.cuh"
#include "gpu/morphology/plane_reconstruction.cuh"
#include "gpu/morphology/reconstruction.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/wavefront/rule_tiles.cuh"

#include <cstdint>
#include <span>

namespace seedwave::gpu {
namespace {

/// A reconstruction of a volume on the device, with a generic rule.
template <typename Voxel>
class VolumeOnDevice {
  using Cell = CellOf<Voxel>;

 public:
  VolumeOnDevice(const Index3& size, ReconstructionDirection direction, const Stream& stream)
      : size_(size),
        turned_(direction == ReconstructionDirection::Erosion),
        cells_(size_[0] * size_[1] * size_[2], stream),
        limits_(cells_.size(), stream) {}

  /// Enqueues the upload. Throws Cancelled.
  void upload(const ReconstructionProblem& problem, Context& context, const Stream& stream) {
    gpu::upload(bits_of<Voxel>(problem.marker), cells_, context, stream);
    gpu::upload(bits_of<Voxel>(problem.mask), limits_, context, stream);
  }

  /// Replaces the marker by the result. Synchronises the stream. Throws Cancelled.
  WaveEnd run(Connectivity connectivity, OnCrawl, DeviceCounter& clipped, Context& context,
              const Stream& stream) {
    to_cells<Voxel>(cells_.data(), limits_.data(), cells_.size(), turned_, clipped, stream);
    run_rule(RiseRule<Cell>{limits_.data()}, size_, connectivity, cells_, context, stream);
    to_voxels<Voxel>(cells_.data(), cells_.size(), turned_, stream);
    return WaveEnd::AtRest;
  }

  [[nodiscard]] static std::int64_t bytes(const Index3& size) {
    return size[0] * size[1] * size[2] * 2 * std::int64_t{sizeof(Cell)} + rule_queue_bytes(size) +
           kBufferEnds;
  }

  /// Synchronises the stream. Throws Cancelled.
  void download(std::span<Cell> bits, Context& context, const Stream& stream) const {
    gpu::download(cells_, bits, context, stream);
  }

 private:
  Index3 size_;
  bool turned_;
  DeviceBuffer<Cell> cells_;
  DeviceBuffer<Cell> limits_;
};

/// OnDevice: PlaneOnDevice or VolumeOnDevice.
template <template <typename> typename OnDevice, typename Voxel>
Reconstruction reconstruct_on(const ReconstructionProblem& problem, Context& context) {
  const Geometry& geometry = problem.mask.geometry();
  const auto count = static_cast<std::size_t>(geometry.voxel_count());
  auto voxels = large_array<Voxel>(context, count);
  DeviceRun run(context);
  run.clock.begin("upload");
  OnDevice<Voxel> device(geometry.size, problem.direction, run.stream);
  device.upload(problem, context, run.stream);
  DeviceCounter clipped(run.stream);
  run.clock.begin("propagate");
  const WaveEnd end =
      device.run(problem.connectivity, OnCrawl::Leave, clipped, context, run.stream);
  run.clock.begin("download");
  device.download(bits_in<Voxel>({voxels.get(), count}), context, run.stream);
  run.clock.report();
  Reconstruction result{Volume(geometry, std::move(voxels)), clipped.read(run.stream)};
  if (end == WaveEnd::AtRest) return result;
  // A wave that crawls through a maze of intensities: the host's flood finishes sooner, from the
  // current state. The fixpoint is the same, because there is only one above the marker.
  const Context::Stage stage = context.stage("propagate on the CPU");
  ReconstructionProblem left = problem;
  left.marker = std::move(result.image);
  result.image = seedwave::reconstruct_by_tiles(left, context).image;
  return result;
}

Reconstruction on_device(const ReconstructionProblem& problem, Context& context) {
  check_reconstruction(problem);
  return visit_voxels(problem.mask, [&](auto voxels) {
    using Voxel = typename decltype(voxels)::value_type;
    if (problem.mask.geometry().is_2d()) {
      return reconstruct_on<PlaneOnDevice, Voxel>(problem, context);
    }
    return reconstruct_on<VolumeOnDevice, Voxel>(problem, context);
  });
}

/// Solves on the device of the context, or on its CPU threads if it has none.
Reconstruction on_worker(const ReconstructionProblem& problem, Context& context) {
  return context.on_cpu() ? seedwave::reconstruct_by_tiles(problem, context)
                          : on_device(problem, context);
}

std::int64_t bytes_on_device(const Index3& size, VoxelType type) {
  const bool planar = size[2] == 1;
  switch (bytes_of(type)) {
    case 1:
      return planar ? PlaneOnDevice<std::uint8_t>::bytes(size)
                    : VolumeOnDevice<std::uint8_t>::bytes(size);
    case 2:
      return planar ? PlaneOnDevice<std::uint16_t>::bytes(size)
                    : VolumeOnDevice<std::uint16_t>::bytes(size);
    default:
      return planar ? PlaneOnDevice<std::int32_t>::bytes(size)
                    : VolumeOnDevice<std::int32_t>::bytes(size);
  }
}

BytesForSize bytes_on_device(VoxelType type) {
  return [type](const Index3& size) { return bytes_on_device(size, type); };
}

}  // namespace

Reconstruction reconstruct_by_tiles(const ReconstructionProblem& problem, Context& context) {
  const SlabGrid slabs = slabs_within(memory_for_each(context), problem.mask.geometry().size,
                                      bytes_on_device(problem.mask.type()));
  Reconstruction whole;
  if (slabs.count() == 1 &&
      solved_by_one_device(context, problem.mask.geometry().voxel_count(),
                           [&](Context& alone) { whole = on_worker(problem, alone); })) {
    return whole;
  }
  return reconstruct_within(for_sharers(slabs, context), problem, on_worker, context);
}

std::int64_t reconstruction_bytes(const Geometry& geometry, VoxelType type) {
  return bytes_on_device(geometry.size, type);
}

std::int64_t least_reconstruction_bytes(const Geometry& geometry, VoxelType type) {
  return least_budget(geometry.size, bytes_on_device(type));
}

}  // namespace seedwave::gpu
