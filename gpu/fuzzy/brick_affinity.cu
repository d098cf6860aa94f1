// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/kappa.h"
#include "gpu/fuzzy/brick_affinity.cuh"
#include "gpu/fuzzy/kept_affinity.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/wavefront/bricks.cuh"

namespace seedwave::gpu {
namespace {

/// What a scene and its tables are to the kernel.
struct SceneView {
  const std::uint16_t* grey;
  const std::uint8_t* mask;  // null: every cell takes part
  fuzzy::KappaView tables;
  Grid grid;
};

/// A cell's grey, and whether it takes part.
struct Cell {
  std::uint16_t grey;
  bool inside;
};

/// Two cells, of which the first lies at an even x.
struct CellPair {
  __device__ CellPair(const SceneView& scene, int x, int y, int z) : first{}, second{} {
    if (!scene.grid.contains(x, y, z)) return;
    const std::int64_t at = scene.grid.offset(x, y, z);
    // A row's padding makes the pair whole.
    const auto both = *reinterpret_cast<const std::uint32_t*>(scene.grey + at);
    first = {static_cast<std::uint16_t>(both), scene.mask == nullptr || scene.mask[at] != 0};
    second = {static_cast<std::uint16_t>(both >> 16),
              x + 1 < scene.grid.nx && (scene.mask == nullptr || scene.mask[at + 1] != 0)};
  }
  Cell first;
  Cell second;
};

/// The affinities of `count` pairs of neighbours, as fuzzy::kappa() gives them; 0 where one of the
/// two takes no part. All at once, so that their reads of the tables are in flight together.
template <int count>
__device__ void affinities_between(const fuzzy::KappaView& tables, const Cell (&a)[count],
                                   const Cell (&b)[count], std::uint32_t (&affinity)[count]) {
  float p[count];
  float phi[count];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    p[i] =
        tables.homogeneity[a[i].grey < b[i].grey ? b[i].grey - a[i].grey : a[i].grey - b[i].grey];
    phi[i] = 0.0F;
  }
  for (int k = 0; k < tables.object_count; ++k) {
    const float* object = tables.objects[k];
#pragma unroll
    for (int i = 0; i < count; ++i)
      phi[i] = fmaxf(phi[i], fminf(object[a[i].grey], object[b[i].grey]));
  }
#pragma unroll
  for (int i = 0; i < count; ++i) {
    affinity[i] = a[i].inside && b[i].inside ? fuzzy::quantised_affinity(p[i], phi[i]) : 0;
  }
}

/// Where a brick begins.
struct Corner {
  __device__ Corner(const Bricks& bricks, int brick)
      : x(bricks.place(brick, 0) * Bricks::kX),
        y(bricks.place(brick, 1) * Bricks::kY),
        z(bricks.place(brick, 2) * Bricks::kZ) {}
  int x;
  int y;
  int z;
};

/// The affinities along y and z. One thread a chunk of each; no shared memory (the tables are read
/// through the caches); no races: a thread owns what it writes.
__global__ void __launch_bounds__(kBlockSize)
    edges_along_y_and_z_kernel(const SceneView scene, const Bricks bricks,
                               uint4* __restrict__ along_y, uint4* __restrict__ along_z) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bricks.count() * Bricks::kChunks) return;
  const auto chunk = static_cast<int>(i % Bricks::kChunks);
  const Corner corner(bricks, static_cast<int>(i / Bricks::kChunks));
  const int x = corner.x + chunk % 8 * 2;
  const int y = corner.y + chunk / 8 % 4 * 4;
  const int z = corner.z + chunk / 32;
  Cell cells[16];
  Cell below[16];  // eight along y, eight along z
  CellPair before(scene, x, y - 1, z);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const CellPair own(scene, x, y + k, z);
    const CellPair under(scene, x, y + k, z - 1);
    cells[2 * k] = cells[8 + 2 * k] = own.first;
    cells[2 * k + 1] = cells[8 + 2 * k + 1] = own.second;
    below[2 * k] = before.first;
    below[2 * k + 1] = before.second;
    below[8 + 2 * k] = under.first;
    below[8 + 2 * k + 1] = under.second;
    before = own;
  }
  std::uint32_t affinity[16];
  affinities_between(scene.tables, cells, below, affinity);
  along_y[i] = make_uint4(affinity[0] | affinity[1] << 16, affinity[2] | affinity[3] << 16,
                          affinity[4] | affinity[5] << 16, affinity[6] | affinity[7] << 16);
  along_z[i] = make_uint4(affinity[8] | affinity[9] << 16, affinity[10] | affinity[11] << 16,
                          affinity[12] | affinity[13] << 16, affinity[14] | affinity[15] << 16);
}

/// The affinities along x, in the order of BrickEdges. One thread a chunk; as above.
__global__ void __launch_bounds__(kBlockSize)
    edges_along_x_kernel(const SceneView scene, const Bricks bricks, uint4* __restrict__ along_x) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bricks.count() * Bricks::kChunks) return;
  const auto chunk = static_cast<int>(i % Bricks::kChunks);
  const Corner corner(bricks, static_cast<int>(i / Bricks::kChunks));
  const int lane = chunk % 32;
  const int x = corner.x + chunk / 32 % 4 * 4;
  const int y = corner.y + lane % 4 * 4 + chunk / 128 * 2;
  const int z = corner.z + lane / 4;
  Cell cells[8];
  Cell below[8];  // pairs of rows, x by x
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    const CellPair left(scene, x - 2, y + row, z);
    const CellPair first(scene, x, y + row, z);
    const CellPair second(scene, x + 2, y + row, z);
    below[row] = left.second;
    cells[row] = below[2 + row] = first.first;
    cells[2 + row] = below[4 + row] = first.second;
    cells[4 + row] = below[6 + row] = second.first;
    cells[6 + row] = second.second;
  }
  std::uint32_t affinity[8];
  affinities_between(scene.tables, cells, below, affinity);
  along_x[i] = make_uint4(affinity[0] | affinity[1] << 16, affinity[2] | affinity[3] << 16,
                          affinity[4] | affinity[5] << 16, affinity[6] | affinity[7] << 16);
}

}  // namespace

Bricks bricks_of(const Geometry& geometry) {
  const auto nx = static_cast<int>(geometry.size[0]);
  const auto ny = static_cast<int>(geometry.size[1]);
  const auto nz = static_cast<int>(geometry.size[2]);
  return {nx,
          ny,
          nz,
          (nx + Bricks::kX - 1) / Bricks::kX,
          (ny + Bricks::kY - 1) / Bricks::kY,
          (nz + Bricks::kZ - 1) / Bricks::kZ};
}

BrickEdges edges_of(const BrickAffinity& affinity) {
  return {affinity.along[0].data(), affinity.along[1].data(), affinity.along[2].data()};
}

std::shared_ptr<const BrickAffinity> brick_affinity_on_device(const fuzzy::Problem& problem,
                                                              Context& context,
                                                              const Stream& stream,
                                                              StageClock& clock) {
  return kept_affinities<BrickAffinity>(
      "brick_affinity", problem, context, stream, clock,
      [&](const DeviceScene& scene, const fuzzy::KappaView& tables, BrickAffinity& fresh) {
        const SceneView view{scene.grey.data(), scene.mask_or_null(), tables, scene.grid};
        const Bricks bricks = bricks_of(problem.scene.geometry);
        const std::int64_t chunks = bricks.count() * Bricks::kChunks;
        for (DeviceBuffer<uint4>& edges : fresh.along)
          edges = DeviceBuffer<uint4>(chunks, stream);
        edges_along_x_kernel<<<blocks_for(chunks), kBlockSize, 0, stream.get()>>>(
            view, bricks, fresh.along[0].data());
        check_launch(stream.get());
        edges_along_y_and_z_kernel<<<blocks_for(chunks), kBlockSize, 0, stream.get()>>>(
            view, bricks, fresh.along[1].data(), fresh.along[2].data());
        check_launch(stream.get());
      });
}

}  // namespace seedwave::gpu
