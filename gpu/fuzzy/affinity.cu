// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/affinity.h"
#include "gpu/fuzzy/kept_affinity.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/lock_step.h"

namespace seedwave::gpu {
namespace {

/// The kernel's view of a scene and its tables.
struct AffinityInputs {
  const std::uint16_t* grey;
  const std::uint8_t* mask;  // null: all cells
  fuzzy::KappaView tables;
  Grid grid;
  Steps steps;
};

/// Returns the affinity of cell (x, y, z) to its neighbour one step ahead; 0 if they are not
/// connected.
__device__ std::uint16_t affinity_ahead(const AffinityInputs& in, std::int64_t x, std::int64_t y,
                                        std::int64_t z, const NeighbourStep& step) {
  if (x >= in.grid.nx || !in.grid.contains(x + step.dx, y + step.dy, z + step.dz)) return 0;
  const std::int64_t cell = in.grid.offset(x, y, z);
  const std::int64_t other = cell + in.grid.offset(step.dx, step.dy, step.dz);
  if (in.mask != nullptr && (in.mask[cell] == 0 || in.mask[other] == 0)) return 0;
  return fuzzy::kappa(in.tables, in.grey[cell], in.grey[other]);
}

/// Writes the affinities ahead of kVector cells of a row, padding included. One thread per vector.
/// No shared memory; the tables are read through L1 and L2. No races: each thread owns what it
/// writes.
__global__ void __launch_bounds__(kBlockSize)
    affinity_kernel(const AffinityInputs in, std::uint16_t* __restrict__ planes,
                    std::uint32_t vectors) {
  const std::uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= vectors) return;
  const VectorPlace place = VectorPlace::of(index, in.grid);
  for (int s = 0; s < in.steps.count; ++s) {
    U16Vector result;
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      result.cell[k] = affinity_ahead(in, place.x + k, place.y, place.z, in.steps.step[s]);
    }
    store_vector(planes + s * in.grid.cells() + place.offset, result);
  }
}

void launch_affinity(const AffinityInputs& in, DeviceAffinity& out, const Stream& stream) {
  const std::uint32_t vectors = vector_count(in.grid);
  affinity_kernel<<<blocks_for(vectors), kBlockSize, 0, stream.get()>>>(in, out.planes.data(),
                                                                        vectors);
  check_launch(stream.get());
}

}  // namespace

std::shared_ptr<const DeviceAffinity> affinity_on_device(const fuzzy::Problem& problem,
                                                         Context& context, const Stream& stream,
                                                         StageClock& clock) {
  return kept_affinities<DeviceAffinity>(
      kept::kAffinity, problem, context, stream, clock,
      [&](const DeviceScene& scene, const fuzzy::KappaView& tables, DeviceAffinity& fresh) {
        fresh.grid = scene.grid;
        fresh.steps = Steps::ahead(problem.connectivity);
        fresh.planes = DeviceBuffer<std::uint16_t>(fresh.steps.count * fresh.grid.cells(), stream);
        launch_affinity({.grey = scene.grey.data(),
                         .mask = scene.mask_or_null(),
                         .tables = tables,
                         .grid = fresh.grid,
                         .steps = fresh.steps},
                        fresh, stream);
      });
}

std::int64_t affinity_bytes(const Geometry& geometry, Connectivity connectivity, bool masked) {
  const std::int64_t planes = 1 + Steps::ahead(connectivity).count;
  const auto cell = static_cast<std::int64_t>(sizeof(std::uint16_t)) * planes + (masked ? 1 : 0);
  return Grid::of(geometry).cells() * cell;
}

}  // namespace seedwave::gpu
