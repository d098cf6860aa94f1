// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/answer.h"
#include "core/wavefront/label_rules.h"
#include "gpu/fuzzy/brick_affinity.cuh"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/optimal_edges.cuh"
#include "gpu/fuzzy/run.h"
#include "gpu/fuzzy/tiles.h"
#include "gpu/wavefront/reach_bricks.cuh"
#include "gpu/wavefront/strength_bricks.cuh"

#include <algorithm>
#include <cassert>
#include <vector>

namespace seedwave::gpu {
namespace {

/// Labels that are followed at once, a plane of bits each.
struct LabelGroup {
  static constexpr int kMost = 16;
  int count = 0;
  std::uint16_t label[kMost] = {};

  /// The label's plane; -1 where it is of another group.
  [[nodiscard]] SEEDWAVE_HD int plane_of(std::uint16_t wanted) const {
    for (int k = 0; k < count; ++k) {
      if (label[k] == wanted) return k;
    }
    return -1;
  }
};

/// Full strength at seeds of one label, or of all.
struct StartStrength {
  std::uint16_t only;  // 0: every label's
  std::uint16_t* strength;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t label) const {
    if (only != 0 && only != label) return false;
    strength[bricks.cell_at(x, y, z)] = fuzzy::kFullStrength;
    return true;
  }
};
/// A seed's bit in its label's plane.
struct StartBits {
  LabelGroup group;
  BitRows* planes;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t label) const {
    const int plane = group.plane_of(label);
    if (plane < 0) return false;
    const int row = y % Bricks::kY;
    const int lane = z % Bricks::kZ * 4 + row / 4;
    BitRows* rows = planes + bit_rows_at(plane * bricks.count() + bricks.brick_of(x, y, z), lane);
    atomicOr(row % 4 < 2 ? &rows->x : &rows->y, 1U << (x % Bricks::kX + 16 * (row % 2)));
    return true;
  }
};

/// Sets seeds, and flags their bricks. One thread a seed; flags are all set to the same value.
template <typename Start>
__global__ void __launch_bounds__(kBlockSize)
    seed_kernel(const Seed* __restrict__ seeds, std::int64_t count, Start start, Bricks bricks,
                std::uint8_t* __restrict__ flags) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const std::int64_t row = seeds[i].offset / bricks.nx;
  const auto x = static_cast<int>(seeds[i].offset % bricks.nx);
  const auto y = static_cast<int>(row % bricks.ny);
  const auto z = static_cast<int>(row / bricks.ny);
  if (start(bricks, x, y, z, seeds[i].label)) flags[bricks.brick_of(x, y, z)] = 1;
}

/// From bricks to rows. One thread a chunk; no races: a thread owns the cells of its chunk.
__global__ void __launch_bounds__(kBlockSize)
    rows_kernel(const uint4* __restrict__ states, Bricks bricks, Grid grid,
                std::uint16_t* __restrict__ rows) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bricks.count() * Bricks::kChunks) return;
  const auto brick = static_cast<int>(i / Bricks::kChunks);
  const auto chunk = static_cast<int>(i % Bricks::kChunks);
  const int x = bricks.place(brick, 0) * Bricks::kX + chunk % 8 * 2;
  const int y = bricks.place(brick, 1) * Bricks::kY + chunk / 8 % 4 * 4;
  const int z = bricks.place(brick, 2) * Bricks::kZ + chunk / 32;
  if (x >= grid.pitch || z >= grid.nz) return;
  const uint4 four = states[i];
  const std::uint32_t pair[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (y + k >= grid.ny) return;
    *reinterpret_cast<std::uint32_t*>(rows + grid.offset(x, y + k, z)) = pair[k];
  }
}

/// From planes of bits to rows of labels, joined with what other groups have left there: the one
/// label that reaches a cell, or kTie. One thread 16 cells of a row; no races.
__global__ void __launch_bounds__(kBlockSize)
    labels_kernel(const BitRows* __restrict__ planes, LabelGroup group, Bricks bricks, Grid grid,
                  std::uint16_t* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= bricks.count() * 128) return;
  const auto brick = static_cast<int>(i / 128);
  const auto row = static_cast<int>(i % 128);  // of a brick: z, y
  const int x0 = bricks.place(brick, 0) * Bricks::kX;
  const int y = bricks.place(brick, 1) * Bricks::kY + row % 16;
  const int z = bricks.place(brick, 2) * Bricks::kZ + row / 16;
  if (y >= grid.ny || z >= grid.nz) return;
  const int lane = row / 4;
  std::uint32_t any = 0;
  std::uint32_t several = 0;
  std::uint16_t label[Bricks::kX] = {};
  for (int k = 0; k < group.count; ++k) {
    const BitRows rows = planes[bit_rows_at(k * bricks.count() + brick, lane)];
    const std::uint32_t bits = (row % 4 < 2 ? rows.x : rows.y) >> 16 * (row % 2) & 0xFFFFU;
    several |= any & bits;
    any |= bits;
#pragma unroll
    for (int x = 0; x < Bricks::kX; ++x) {
      if ((bits >> x & 1U) != 0) label[x] = group.label[k];
    }
  }
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    if (x0 + half * kVector >= grid.pitch) return;
    std::uint16_t* const at = labels + grid.offset(x0 + half * kVector, y, z);
    U16Vector cells = load_vector(at);
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      const int x = half * kVector + k;
      const std::uint16_t own = (several >> x & 1U) != 0 ? kTie : label[x];
      cells.cell[k] = LabelRule::join(own, cells.cell[k]);
    }
    store_vector(at, cells);
  }
}

/// Takes one more label's strengths into the best, 16 bytes a thread; equals tie. No races.
__global__ void __launch_bounds__(kBlockSize)
    relative_kernel(const U16Vector* __restrict__ strength, std::uint16_t label,
                    std::int64_t vectors, U16Vector* __restrict__ best,
                    U16Vector* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= vectors) return;
  const U16Vector now = strength[i];
  U16Vector most = best[i];
  U16Vector owner = labels[i];
#pragma unroll
  for (int k = 0; k < kVector; ++k) {
    if (now.cell[k] > most.cell[k]) {
      most.cell[k] = now.cell[k];
      owner.cell[k] = label;
    } else if (now.cell[k] == most.cell[k] && now.cell[k] != 0) {
      owner.cell[k] = kTie;
    }
  }
  best[i] = most;
  labels[i] = owner;
}

/// A problem's wavefronts on bricks.
class BrickRun {
 public:
  BrickRun(const fuzzy::Problem& problem, Context& context)
      : context_(context),
        run_(problem, context),
        bricks_(bricks_of(problem.scene.geometry)),
        affinity_(brick_affinity_on_device(problem, context, run_.stream, run_.clock)),
        unfinished_(bricks_.count(), run_.stream),
        queue_(bricks_.count(), run_.stream) {
    assert(tiles_know(problem.connectivity));
  }

  [[nodiscard]] Run& run() { return run_; }

  /// A plane of zeros, brick by brick.
  [[nodiscard]] DeviceBuffer<std::uint16_t> zeros() const {
    DeviceBuffer<std::uint16_t> plane(bricks_.count() * Bricks::kCells, run_.stream);
    plane.fill_bytes(0, run_.stream);
    return plane;
  }

  /// From the seeds of one label (0: of all) to the strengths to them; strength: zeros.
  void spread_strength(std::uint16_t only, DeviceBuffer<std::uint16_t>& strength) {
    start(StartStrength{only, strength.data()});
    run_tiles(queue_,
              StrengthBricks(bricks_, edges_of(*affinity_),
                             reinterpret_cast<uint4*>(strength.data()), unfinished_.data()),
              context_, run_.stream);
  }

  /// Enqueues: the edges along which labels pass.
  [[nodiscard]] DeviceBuffer<BitRows> optimal_edges(
      const DeviceBuffer<std::uint16_t>& strength) const {
    DeviceBuffer<BitRows> inwards(inward_at(bricks_.count(), 0, 0), run_.stream);
    constexpr int kWarps = kOptimalEdgesThreads / 32;
    optimal_edges_kernel<<<static_cast<unsigned>((bricks_.count() + kWarps - 1) / kWarps),
                           kOptimalEdgesThreads, 0, run_.stream.get()>>>(
        bricks_, edges_of(*affinity_), reinterpret_cast<const uint4*>(strength.data()),
        inwards.data());
    check_launch(run_.stream.get());
    return inwards;
  }

  /// From the seeds of the group's labels along these edges to all that they reach; into `labels`,
  /// rows in which other groups may have been.
  void spread_labels(const LabelGroup& group, const DeviceBuffer<BitRows>& inwards,
                     DeviceBuffer<std::uint16_t>& labels) {
    DeviceBuffer<BitRows> planes(bit_rows_at(group.count * bricks_.count(), 0), run_.stream);
    planes.fill_bytes(0, run_.stream);
    start(StartBits{group, planes.data()});
    run_tiles(queue_,
              ReachBricks(bricks_, inwards.data(), planes.data(), group.count, unfinished_.data()),
              context_, run_.stream);
    labels_kernel<<<blocks_for(bricks_.count() * 128), kBlockSize, 0, run_.stream.get()>>>(
        planes.data(), group, bricks_, run_.grid, labels.data());
    check_launch(run_.stream.get());
  }

  /// Enqueues: bricks to rows.
  [[nodiscard]] DeviceBuffer<std::uint16_t> rows_of(
      const DeviceBuffer<std::uint16_t>& states) const {
    DeviceBuffer<std::uint16_t> rows(run_.grid.cells(), run_.stream);
    rows_kernel<<<blocks_for(bricks_.count() * Bricks::kChunks), kBlockSize, 0,
                  run_.stream.get()>>>(reinterpret_cast<const uint4*>(states.data()), bricks_,
                                       run_.grid, rows.data());
    check_launch(run_.stream.get());
    return rows;
  }

 private:
  /// Enqueues: seeds are set, their bricks queued, and nothing else.
  template <typename Start>
  void start(const Start& start) {
    unfinished_.fill_bytes(0, run_.stream);
    if (run_.seeds.size() > 0) {
      seed_kernel<<<blocks_for(run_.seeds.size()), kBlockSize, 0, run_.stream.get()>>>(
          run_.seeds.data(), run_.seeds.size(), start, bricks_, unfinished_.data());
      check_launch(run_.stream.get());
    }
    queue_.queue_flagged(unfinished_, run_.stream);
  }

  Context& context_;
  Run run_;
  Bricks bricks_;
  std::shared_ptr<const BrickAffinity> affinity_;
  DeviceBuffer<std::uint8_t> unfinished_;
  DeviceQueue queue_;
};

std::vector<LabelGroup> groups_of(const std::vector<std::uint16_t>& labels) {
  std::vector<LabelGroup> groups;
  for (const std::uint16_t label : labels) {
    if (groups.empty() || groups.back().count == LabelGroup::kMost) groups.emplace_back();
    groups.back().label[groups.back().count++] = label;
  }
  return groups;
}

}  // namespace

bool tiles_know(Connectivity connectivity) {
  return connectivity == Connectivity::C4 || connectivity == Connectivity::C6;
}

fuzzy::Answer rfc_by_tiles(const fuzzy::Problem& problem, Context& context) {
  BrickRun bricks(problem, context);
  Run& run = bricks.run();
  run.clock.begin("propagate");
  auto best = bricks.zeros();
  auto labels = bricks.zeros();
  auto strength = bricks.zeros();
  const std::int64_t vectors = strength.size() / kVector;
  for (const std::uint16_t label : fuzzy::labels_of(problem.seeds)) {
    strength.fill_bytes(0, run.stream);
    bricks.spread_strength(label, strength);
    relative_kernel<<<blocks_for(vectors), kBlockSize, 0, run.stream.get()>>>(
        reinterpret_cast<const U16Vector*>(strength.data()), label, vectors,
        reinterpret_cast<U16Vector*>(best.data()), reinterpret_cast<U16Vector*>(labels.data()));
    check_launch(run.stream.get());
  }
  strength = {};
  auto label_rows = bricks.rows_of(labels);
  labels = {};
  finish_labels(label_rows, run);
  return run.download(label_rows, bricks.rows_of(best));
}

fuzzy::Answer irfc_by_tiles(const fuzzy::Problem& problem, Context& context) {
  BrickRun bricks(problem, context);
  Run& run = bricks.run();
  run.clock.begin("propagate");
  auto strength = bricks.zeros();
  bricks.spread_strength(0, strength);
  run.clock.begin("labels");
  auto labels = run.zeros();
  auto edges = bricks.optimal_edges(strength);
  for (const LabelGroup& group : groups_of(fuzzy::labels_of(problem.seeds)))
    bricks.spread_labels(group, edges, labels);
  edges = {};
  finish_labels(labels, run);
  return run.download(labels, bricks.rows_of(strength));
}

std::int64_t tiles_bytes(const Geometry& geometry, Connectivity, bool masked) {
  // In bricks three affinities and at most three states, in rows greys and labels (or, when states
  // have been given back, two planes more).
  const std::int64_t cells = bricks_of(geometry).count() * Bricks::kCells;
  const std::int64_t rows = Grid::of(geometry).cells();
  return cells * 6 * 2 + rows * (2 * 2 + (masked ? 1 : 0)) +
         DeviceQueue::bytes(cells / Bricks::kCells);
}

}  // namespace seedwave::gpu
