// SPDX-License-Identifier: Apache-2.0
#include "core/morphology/watershed_in_slabs.h"
#include "core/morphology/watershed_scene.h"
#include "core/wavefront/partitions/one_device.h"
#include "core/wavefront/watershed_rules.h"
#include "gpu/device/buffer.h"
#include "gpu/device/device_run.h"
#include "gpu/device/download.h"
#include "gpu/device/launch.h"
#include "gpu/device/memory.h"
#include "gpu/morphology/plane_watershed.cuh"
#include "gpu/morphology/reconstruction.h"
#include "gpu/morphology/voxel_bits.cuh"
#include "gpu/morphology/watershed.h"
#include "gpu/morphology/watershed_cells.cuh"
#include "gpu/wavefront/rule_tiles.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace seedwave::gpu {
namespace {

/// Holds more hops than any plateau has.
using Hops = std::uint32_t;

/// Initialises hops, and labels, which are one less from here on (BasinRule). One thread per cell;
/// no races.
template <typename Cell, typename Marker>
__global__ void __launch_bounds__(kBlockSize)
    begin_hops_kernel(const Cell* f, const Cell* altitudes, const std::uint8_t* takes,
                      const RuleGrid grid, Marker* labels, Hops* hops, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i >= count) return;
  bool lower = false;
  for (int s = 0; s < grid.steps; ++s)
    lower |= grid.leads_inside(i, s) && altitudes[i + grid.offset[s]] < altitudes[i];
  const bool in = comes_in(f[i], altitudes[i], takes[i] != 0, lower);
  hops[i] = in || labels[i] != 0 ? 0 : HopsRule<Cell, Hops>::kFar;
  labels[i] = static_cast<Marker>(labels[i] - 1);
}

/// Finds the predecessors that BasinRule reads. One thread per cell; no races.
template <typename Cell>
__global__ void __launch_bounds__(kBlockSize)
    predecessors_kernel(const Cell* altitudes, const Hops* hops, const std::uint8_t* takes,
                        const RuleGrid grid, std::uint32_t* predecessors, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i >= count) return;
  Predecessors<Cell, Hops> found(altitudes[i], hops[i]);
  for (int s = 0; s < grid.steps; ++s) {
    if (!grid.leads_inside(i, s)) continue;
    const std::int64_t other = i + grid.offset[s];
    found.see(grid.steps - 1 - s, altitudes[other], hops[other]);
  }
  predecessors[i] = takes[i] != 0 ? found.steps() : 0;
}

/// Restores the usual numbering of labels. One thread per cell; no races.
template <typename Marker>
__global__ void __launch_bounds__(kBlockSize) end_kernel(Marker* labels, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kBlockSize + threadIdx.x;
  if (i < count) labels[i] = static_cast<Marker>(labels[i] + 1);
}

/// Enqueues the upload of a watershed's inputs, in rows of `pitch` cells.
template <typename Voxel, typename Marker>
void upload(const WatershedProblem& problem, std::int64_t pitch, DeviceBuffer<CellOf<Voxel>>& f,
            DeviceBuffer<std::uint8_t>& takes, DeviceBuffer<Marker>& labels, const Stream& stream) {
  const std::int64_t row = problem.image.geometry().size[0];
  f.copy_rows_from(bits_of<Voxel>(problem.image), row, pitch, stream);
  labels.copy_rows_from(problem.markers.labels().as<Marker>(), row, pitch, stream);
  DeviceBuffer<std::uint8_t> mask;
  if (!problem.mask.empty()) {
    mask = DeviceBuffer<std::uint8_t>(labels.size(), stream);
    mask.copy_rows_from(problem.mask.labels().as<std::uint8_t>(), row, pitch, stream);
  }
  to_watershed_kernel<Voxel><<<blocks_for_cells(f.size()), kBlockSize, 0, stream.get()>>>(
      f.data(), labels.data(), mask.data(), takes.data(), f.size());
  check_launch(stream.get());
}

/// Solves with the generic rules, on any grid.
template <typename Voxel, typename Marker>
void basins_by_rules(const WatershedProblem& problem, DeviceRun& run, Context& context,
                     std::span<Marker> labels) {
  using Cell = CellOf<Voxel>;
  const Stream& stream = run.stream;
  const Index3 size = problem.image.geometry().size;
  const std::int64_t count = problem.image.geometry().voxel_count();
  run.clock.begin("upload");
  DeviceBuffer<Cell> f(count, stream);
  DeviceBuffer<Cell> altitudes(count, stream);
  DeviceBuffer<std::uint8_t> takes(count, stream);
  DeviceBuffer<Hops> hops(count, stream);
  DeviceBuffer<Marker> basins(count, stream);
  upload<Voxel>(problem, size[0], f, takes, basins, stream);
  run.clock.begin("altitudes");
  const unsigned blocks = blocks_for(count);
  start_altitudes_kernel<<<blocks_for_cells(count), kBlockSize, 0, stream.get()>>>(
      basins.data(), takes.data(), f.data(), altitudes.data(), count);
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
  f = {};
  DeviceBuffer<std::uint32_t> predecessors(count, stream);
  predecessors_kernel<<<blocks, kBlockSize, 0, stream.get()>>>(
      altitudes.data(), hops.data(), takes.data(), RuleGrid::of(size, problem.connectivity),
      predecessors.data(), count);
  check_launch(stream.get());
  run_rule(BasinRule<Marker>{predecessors.data()}, size, problem.connectivity, basins, context,
           stream);
  end_kernel<<<blocks, kBlockSize, 0, stream.get()>>>(basins.data(), count);
  check_launch(stream.get());
  run.clock.begin("download");
  download(basins, labels, context, stream);
}

/// Solves on register tiles. Returns false as WatershedOnPlane::run() does.
template <typename Voxel, typename Marker>
[[nodiscard]] bool basins_on_plane(const WatershedProblem& problem, DeviceRun& run,
                                   Context& context, std::span<Marker> labels) {
  run.clock.begin("upload");
  WatershedOnPlane<CellOf<Voxel>, Marker> plane(problem.image.geometry().size, run.stream);
  const PlaneGrid& grid = plane.grid();
  upload<Voxel>(problem, grid.pitch, plane.f(), plane.takes(), plane.labels(), run.stream);
  const bool fits = has_corners(problem.connectivity) ? plane.template run<true>(run, context)
                                                      : plane.template run<false>(run, context);
  if (!fits) return false;
  run.clock.begin("download");
  download(plane.labels(), grid.nx, grid.pitch, labels, context, run.stream);
  return true;
}

/// Runs a pass on a slab whose rule inputs are on the device. The states are uploaded and
/// downloaded.
template <typename Rule>
void settle_slab(const char* stage, const Rule& rule, const Index3& size, Connectivity connectivity,
                 std::span<typename Rule::State> states, DeviceRun& run, Context& context) {
  const Stream& stream = run.stream;
  DeviceBuffer<typename Rule::State> on_device(std::ssize(states), stream);
  on_device.copy_from(states, stream);
  run.clock.begin(stage);
  run_rule(rule, size, connectivity, on_device, context, stream);
  run.clock.begin("download");
  on_device.copy_to(states, stream);
  run.clock.report();
}

/// Returns a solver of slabs on the device of the context, or on its CPU threads if it has none.
WatershedSlabSolver slab_solver() {
  const WatershedSlabSolver on_cpu = watershed::slab_solver_on_tiles();
  WatershedSlabSolver solver;
  solver.altitudes = [on_cpu](const ReconstructionProblem& problem, Context& context) {
    return context.on_cpu() ? on_cpu.altitudes(problem, context)
                            : gpu::reconstruct_by_tiles(problem, context);
  };
  solver.hops = [on_cpu](const WatershedSlab& slab, const WatershedSlab::Hops& hops,
                         Context& context) {
    if (context.on_cpu()) return on_cpu.hops(slab, hops, context);
    watershed::with_wide<std::int32_t>(slab.altitudes, [&](std::span<const std::int32_t> wide) {
      DeviceRun run(context);
      run.clock.begin("upload");
      DeviceBuffer<std::int32_t> altitudes(std::ssize(wide), run.stream);
      DeviceBuffer<std::uint8_t> takes(std::ssize(slab.takes), run.stream);
      altitudes.copy_from(wide, run.stream);
      takes.copy_from(slab.takes, run.stream);
      watershed::with_wide_hops(hops, [&](std::span<Hops> states) {
        settle_slab("hops", HopsRule<std::int32_t, Hops>{altitudes.data(), takes.data()}, slab.size,
                    slab.connectivity, states, run, context);
      });
    });
  };
  solver.basins = [on_cpu](const Index3& size, Connectivity connectivity,
                           const WatershedSlabSolver::Predecessors& predecessors,
                           const WatershedSlabSolver::Basins& basins, Context& context) {
    if (context.on_cpu()) return on_cpu.basins(size, connectivity, predecessors, basins, context);
    watershed::with_wide<std::uint32_t>(predecessors, [&](std::span<const std::uint32_t> wide) {
      DeviceRun run(context);
      run.clock.begin("upload");
      DeviceBuffer<std::uint32_t> known(std::ssize(wide), run.stream);
      known.copy_from(wide, run.stream);
      std::visit(
          [&]<typename Marker>(std::span<Marker> labels) {
            settle_slab("labels", BasinRule<Marker>{known.data()}, size, connectivity, labels, run,
                        context);
          },
          basins);
    });
  };
  return solver;
}

/// Returns the device memory for a slab: altitudes, as in a reconstruction; then hops, with
/// altitudes and the mask of cells that take. Labels and predecessors need less.
BytesForSize slab_bytes(VoxelType type) {
  return [type](const Index3& size) {
    constexpr std::int64_t kOfACell = 4 + 1 + 4;
    Geometry part;
    part.size = size;
    const std::int64_t hops = part.voxel_count() * kOfACell + rule_queue_bytes(size) + kBufferEnds;
    return std::max(reconstruction_bytes(part, type), hops);
  };
}

/// Solves a prepared problem that the device holds.
LabelMap labels_of_whole(const WatershedProblem& problem, Context& context) {
  const Geometry& geometry = problem.image.geometry();
  DeviceRun run(context);
  return watershed::visit_markers(problem, [&]<typename Marker>(std::span<const Marker> markers) {
    std::vector<Marker> labels(markers.size());
    visit_voxels(problem.image, [&](auto voxels) {
      using Voxel = typename decltype(voxels)::value_type;
      const bool plane = geometry.is_2d();
      if (!plane || !basins_on_plane<Voxel>(problem, run, context, std::span(labels)))
        basins_by_rules<Voxel>(problem, run, context, std::span(labels));
    });
    run.clock.report();
    return LabelMap(geometry, std::move(labels));
  });
}

}  // namespace

LabelMap watershed_by_tiles(const WatershedProblem& given, Context& context) {
  const WatershedProblem problem = watershed::prepared(given);
  const Geometry& geometry = problem.image.geometry();
  const VoxelType type = problem.image.type();
  const std::int64_t memory = memory_for_each(context);
  const bool fits =
      memory >= watershed_bytes(geometry, type, problem.markers.labels().bytes_each());
  LabelMap whole;
  if (fits && solved_by_one_device(context, geometry.voxel_count(), [&](Context& alone) {
        whole = labels_of_whole(problem, alone);
      })) {
    return whole;
  }
  if (!fits || context.is_shared() || context.saved() != nullptr) {
    const SlabGrid slabs = slabs_within(memory, geometry.size, slab_bytes(type));
    return watershed_in_slabs(problem, slab_solver(), for_sharers(slabs, context), context);
  }
  return labels_of_whole(problem, context);
}

namespace {

constexpr std::int64_t kMaskBytes = 1;

/// Calls call() with a cell of the type to which voxels of `type` are converted.
template <typename Call>
std::int64_t visit_cell(VoxelType type, const Call& call) {
  switch (bytes_of(type)) {
    case 1:
      return call(std::uint8_t{});
    case 2:
      return call(std::uint16_t{});
    default:
      return call(std::int32_t{});
  }
}

}  // namespace

std::int64_t watershed_bytes(const Geometry& geometry, VoxelType type, std::size_t label_bytes) {
  // Bytes per cell: altitude, whether it takes, hops, label; and the image's height, then
  // predecessors.
  const auto of_a_cell = static_cast<std::int64_t>(bytes_of(type) + 1 + 4 + label_bytes + 4);
  const std::int64_t by_rules =
      geometry.voxel_count() * of_a_cell + rule_queue_bytes(geometry.size);
  if (!geometry.is_2d()) return by_rules + kMaskBytes * geometry.voxel_count() + kBufferEnds;
  const std::int64_t on_tiles = visit_cell(type, [&](auto cell) {
    using Cell = decltype(cell);
    return label_bytes == 4 ? WatershedOnPlane<Cell, std::uint32_t>::bytes(geometry.size)
                            : WatershedOnPlane<Cell, std::uint16_t>::bytes(geometry.size);
  });
  return std::max(by_rules, on_tiles) + kMaskBytes * PlaneGrid::of(geometry.size).cells() +
         kBufferEnds;
}

std::int64_t least_watershed_bytes(const Geometry& geometry, VoxelType type) {
  return least_budget(geometry.size, slab_bytes(type));
}

}  // namespace seedwave::gpu
