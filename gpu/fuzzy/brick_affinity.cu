// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/kappa.h"
#include "gpu/fuzzy/brick_affinity.cuh"
#include "gpu/fuzzy/kept_affinity.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/wavefront/bricks.cuh"

namespace seedwave::gpu {
namespace {

/// The kernel's view of a scene and its tables.
struct SceneView {
  const std::uint16_t* grey;
  const std::uint8_t* mask;  // null: all cells
  fuzzy::KappaView tables;
  Grid grid;
};

/// Intensities and mask bits of two cells; the first lies at an even x.
struct CellPair {
  std::uint32_t greys;   // first | second << 16
  std::uint32_t inside;  // bit 0, bit 1

  [[nodiscard]] __device__ std::uint32_t grey(int i) const {
    return i == 0 ? greys & 0xFFFFU : greys >> 16;
  }
  [[nodiscard]] static __device__ CellPair load(const SceneView& scene, int x, int y, int z) {
    if (!scene.grid.contains(x, y, z)) return {0, 0};
    const std::int64_t at = scene.grid.offset(x, y, z);
    // The padding of a row completes the pair.
    const auto greys = *reinterpret_cast<const std::uint32_t*>(scene.grey + at);
    std::uint32_t inside = x + 1 < scene.grid.nx ? 3 : 1;
    if (scene.mask != nullptr) {
      inside &= (scene.mask[at] != 0 ? 1U : 0U) | (scene.mask[at + 1] != 0 ? 2U : 0U);
    }
    return {greys, inside};
  }
  [[nodiscard]] __device__ CellPair shuffled_up(int lanes) const {
    return {__shfl_up_sync(0xFFFFFFFFU, greys, lanes), __shfl_up_sync(0xFFFFFFFFU, inside, lanes)};
  }
};

/// Four rows of a pair, with their values in an object's table.
struct Rows {
  CellPair row[4];
};
struct RowValues {
  float value[4][2];
};
[[nodiscard]] __device__ RowValues values_of(const float* object, const Rows& rows) {
  RowValues values;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    values.value[k][0] = object[rows.row[k].grey(0)];
    values.value[k][1] = object[rows.row[k].grey(1)];
  }
  return values;
}

/// The affinities of eight edges.
struct EdgeValues {
  float phi[4][2];

  __device__ void take(int k, int i, float a, float b) {
    phi[k][i] = fmaxf(phi[k][i], fminf(a, b));
  }
  [[nodiscard]] __device__ std::uint32_t quantised(const float* homogeneity, int k, int i,
                                                   std::uint32_t grey, std::uint32_t other,
                                                   std::uint32_t both_inside) const {
    const float p = homogeneity[grey < other ? other - grey : grey - other];
    return both_inside != 0 ? fuzzy::quantised_affinity(p, phi[k][i]) : 0;
  }
};

/// The number of described objects: one or any.
enum class Objects { One, Any };

/// Writes the affinities of a brick to its lower neighbours, as fuzzy::kappa() defines them; 0 if
/// either cell is masked out.
///
/// One warp per brick. Lane (a, p) processes rows 4a .. 4a + 3 at x = 2p, 2p + 1, plane by plane,
/// so that a cell's intensity and table value are read once. No shared memory; the tables are read
/// through the caches. No races: each warp owns what it writes.
template <Objects objects>
__global__ void __launch_bounds__(kBlockSize)
    edges_kernel(const SceneView scene, const Bricks bricks, uint2* __restrict__ along_x,
                 uint4* __restrict__ along_y, uint4* __restrict__ along_z) {
  const auto brick = static_cast<int>(blockIdx.x * (kBlockSize / 32) + threadIdx.x / 32);
  if (brick >= bricks.count()) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int a = lane / 8;
  const int p = lane % 8;
  const int x = bricks.place(brick, 0) * Bricks::kX + 2 * p;
  const int y = bricks.place(brick, 1) * Bricks::kY + 4 * a;
  const int z0 = bricks.place(brick, 2) * Bricks::kZ;
  const float* const homogeneity = scene.tables.homogeneity;
  const int object_count = objects == Objects::One ? 1 : scene.tables.object_count;

  const auto rows_at = [&](int at_x, int z) {
    Rows rows;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      rows.row[k] = CellPair::load(scene, at_x, y + k, z);
    return rows;
  };
  Rows under = rows_at(x, z0 - 1);
  RowValues under_values{};
  if (objects == Objects::One) under_values = values_of(scene.tables.objects[0], under);

  for (int z = 0; z < Bricks::kZ; ++z) {
    const Rows own = rows_at(x, z0 + z);
    CellPair before = own.row[3].shuffled_up(8);
    if (a == 0) before = CellPair::load(scene, x, y - 1, z0 + z);
    Rows left;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      left.row[k] = own.row[k].shuffled_up(1);
    if (p == 0) left = rows_at(x - 2, z0 + z);

    EdgeValues to_left{};
    EdgeValues to_before{};
    EdgeValues to_under{};
    for (int object = 0; object < object_count; ++object) {
      const float* const table = scene.tables.objects[object];
      const RowValues values = values_of(table, own);
      if (objects == Objects::Any) under_values = values_of(table, under);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float left_value = __shfl_up_sync(0xFFFFFFFFU, values.value[k][1], 1);
        if (p == 0) left_value = table[left.row[k].grey(1)];
        to_left.take(k, 0, values.value[k][0], left_value);
        to_left.take(k, 1, values.value[k][1], values.value[k][0]);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float before_value = __shfl_up_sync(0xFFFFFFFFU, values.value[3][i], 8);
        if (a == 0) before_value = table[before.grey(i)];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
          to_before.take(k, i, values.value[k][i], k == 0 ? before_value : values.value[k - 1][i]);
          to_under.take(k, i, values.value[k][i], under_values.value[k][i]);
        }
      }
      if (objects == Objects::One) under_values = values;
    }

    std::uint32_t pair_under[4];
    std::uint32_t pair_before[4];
    std::uint32_t edge_left[4][2];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const CellPair& pair = own.row[k];
      const CellPair& below = k == 0 ? before : own.row[k - 1];
      std::uint32_t edge_under[2];
      std::uint32_t edge_before[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const auto edge = [&](const EdgeValues& to, std::uint32_t other, std::uint32_t inside) {
          return to.quantised(homogeneity, k, i, pair.grey(i), other,
                              pair.inside >> i & inside & 1);
        };
        edge_under[i] = edge(to_under, under.row[k].grey(i), under.row[k].inside >> i);
        edge_before[i] = edge(to_before, below.grey(i), below.inside >> i);
        edge_left[k][i] = i == 0 ? edge(to_left, left.row[k].grey(1), left.row[k].inside >> 1)
                                 : edge(to_left, pair.grey(0), pair.inside);
      }
      pair_under[k] = edge_under[0] | edge_under[1] << 16;
      pair_before[k] = edge_before[0] | edge_before[1] << 16;
    }
    const std::int64_t chunk = std::int64_t{brick} * Bricks::kChunks + z * 32 + lane;
    along_z[chunk] = make_uint4(pair_under[0], pair_under[1], pair_under[2], pair_under[3]);
    along_y[chunk] = make_uint4(pair_before[0], pair_before[1], pair_before[2], pair_before[3]);
#pragma unroll
    for (int j = 0; j < 2; ++j) {  // pairs of rows, half a chunk of four x
      const std::int64_t of_four =
          std::int64_t{brick} * Bricks::kChunks + (j * 4 + p / 2) * 32 + z * 4 + a;
      along_x[2 * of_four + p % 2] =
          make_uint2(edge_left[2 * j][0] | edge_left[2 * j + 1][0] << 16,
                     edge_left[2 * j][1] | edge_left[2 * j + 1][1] << 16);
    }
    under = own;
  }
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
      kept::kBrickAffinity, problem, context, stream, clock,
      [&](const DeviceScene& scene, const fuzzy::KappaView& tables, BrickAffinity& fresh) {
        const SceneView view{scene.grey.data(), scene.mask_or_null(), tables, scene.grid};
        const Bricks bricks = bricks_of(problem.scene.geometry);
        const std::int64_t chunks = bricks.count() * Bricks::kChunks;
        for (DeviceBuffer<uint4>& edges : fresh.along)
          edges = DeviceBuffer<uint4>(chunks, stream);
        const auto launch = [&](auto* kernel) {
          kernel<<<blocks_for(bricks.count() * 32), kBlockSize, 0, stream.get()>>>(
              view, bricks, reinterpret_cast<uint2*>(fresh.along[0].data()), fresh.along[1].data(),
              fresh.along[2].data());
          check_launch(stream.get());
        };
        if (tables.object_count == 1) {
          launch(edges_kernel<Objects::One>);
        } else {
          launch(edges_kernel<Objects::Any>);
        }
      });
}

}  // namespace seedwave::gpu
