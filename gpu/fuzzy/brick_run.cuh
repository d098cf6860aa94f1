// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fuzzy/problem.h"
#include "core/wavefront/label_rules.h"
#include "gpu/fuzzy/brick_affinity.cuh"
#include "gpu/fuzzy/grid.h"
#include "gpu/fuzzy/launch.h"
#include "gpu/fuzzy/optimal_edges.cuh"
#include "gpu/fuzzy/row_blocks.h"
#include "gpu/fuzzy/run.h"
#include "gpu/fuzzy/seeds.h"
#include "gpu/wavefront/bricks.cuh"
#include "gpu/wavefront/reach_bricks.cuh"
#include "gpu/wavefront/strength_bricks.cuh"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace seedwave::gpu {

// Starting points of wavefronts on bricks.

/// Labels that are spread at once, with a plane of bits each.
struct LabelGroup {
  static constexpr int kMost = 16;
  int count = 0;
  std::uint16_t label[kMost] = {};

  /// Returns the label's plane; -1 if it belongs to another group.
  [[nodiscard]] SEEDWAVE_HD int plane_of(std::uint16_t wanted) const {
    for (int k = 0; k < count; ++k) {
      if (label[k] == wanted) return k;
    }
    return -1;
  }
  friend bool operator==(const LabelGroup& a, const LabelGroup& b) {
    return std::equal(a.label, a.label + a.count, b.label, b.label + b.count);
  }
};

[[nodiscard]] inline std::vector<LabelGroup> groups_of(const std::vector<Label>& labels) {
  std::vector<LabelGroup> groups;
  for (const Label label : labels) {
    if (groups.empty() || groups.back().count == LabelGroup::kMost) groups.emplace_back();
    groups.back().label[groups.back().count++] = label;
  }
  return groups;
}

/// Sets full strength at the seeds of one label, or of all.
struct StartStrength {
  std::uint16_t only;  // 0: all labels
  std::uint16_t* strength;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t label) const {
    if (only != 0 && only != label) return false;
    strength[bricks.cell_at(x, y, z)] = fuzzy::kFullStrength;
    return true;
  }
};
/// Sets the strength that is given in place of a label.
struct StartSource {
  std::uint16_t* strength;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t level) const {
    strength[bricks.cell_at(x, y, z)] = level;
    return true;
  }
};
/// Sets a seed's bit in its label's plane. kTie sets the bit in all planes, because several labels
/// met there.
struct StartBits {
  LabelGroup group;
  BitRows* planes;
  __device__ bool operator()(const Bricks& bricks, int x, int y, int z, std::uint16_t label) const {
    if (label != kTie) {
      const int plane = group.plane_of(label);
      if (plane >= 0) set(bricks, x, y, z, plane);
      return plane >= 0;
    }
    for (int plane = 0; plane < group.count; ++plane)
      set(bricks, x, y, z, plane);
    return true;
  }

 private:
  __device__ void set(const Bricks& bricks, int x, int y, int z, int plane) const {
    const int row = y % Bricks::kY;
    const int lane = z % Bricks::kZ * 4 + row / 4;
    BitRows* rows = planes + bit_rows_at(plane * bricks.count() + bricks.brick_of(x, y, z), lane);
    atomicOr(row % 4 < 2 ? &rows->x : &rows->y, 1U << (x % Bricks::kX + 16 * (row % 2)));
  }
};

/// Sets seeds and, if there are flags, flags their bricks. One thread per seed; all threads write
/// the same value to a flag.
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
  const bool set = start(bricks, x, y, z, seeds[i].label);
  if (set && flags != nullptr) flags[bricks.brick_of(x, y, z)] = 1;
}

/// Enqueues setting the seeds. flags: null, or one per brick.
template <typename Start>
void set_seeds(const DeviceSeeds& seeds, const Start& start, const Bricks& bricks,
               std::uint8_t* flags, const Stream& stream) {
  if (seeds.size() == 0) return;
  seed_kernel<<<blocks_for(seeds.size()), kBlockSize, 0, stream.get()>>>(seeds.data(), seeds.size(),
                                                                         start, bricks, flags);
  check_launch(stream.get());
}

// Conversion from bricks to the rows of a block, from which an answer is assembled.

/// The bricks of a block of rows. They belong to one slab and are whole except at the grid's end.
struct BrickBlock {
  BrickBlock(const RowBlock& rows, const Bricks& bricks, const Grid& grid)
      : rows(rows),
        pitch(grid.pitch),
        first(bricks.brick_of(0, static_cast<int>(rows.y0), static_cast<int>(rows.z0))),
        count((rows.y1 - rows.y0 + Bricks::kY - 1) / Bricks::kY * bricks.bricks_x) {}

  /// Returns the offset of a cell within the block's rows.
  [[nodiscard]] SEEDWAVE_HD std::int64_t offset(int x, int y, int z) const {
    return x + pitch * rows.row_of(y, z);
  }

  RowBlock rows;
  std::int64_t pitch;
  std::int64_t first;
  std::int64_t count;
};

/// Strengths to several sets of seeds, in brick layout.
struct StrengthPlanes {
  static constexpr int kMost = 3;
  int count = 0;
  const uint4* plane[kMost] = {};
  std::uint16_t label[kMost] = {};  // the label of the seeds
};

/// The greatest strength of each of eight cells, and its label; 0 on a tie.
struct Relative {
  std::uint32_t best[4];
  std::uint32_t label[4];
};

[[nodiscard]] __device__ inline Relative relative_of(const StrengthPlanes& planes, std::int64_t i) {
  Relative relative{};
  for (int k = 0; k < planes.count; ++k) {
    const uint4 four = planes.plane[k][i];
    const std::uint32_t pair[4] = {four.x, four.y, four.z, four.w};
    const std::uint32_t label = planes.label[k] * 0x00010001U;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const std::uint32_t best = relative.best[j];
      const std::uint32_t above = __vcmpgtu2(pair[j], best);
      const std::uint32_t below = __vcmpltu2(pair[j], best);
      // Equal strengths tie until a stronger one comes. With strength 0 the label is 0 too.
      relative.label[j] = (label & above) | (relative.label[j] & below);
      relative.best[j] = __vmaxu2(pair[j], best);
    }
  }
  return relative;
}

enum class Wanted { Strength, Label };

/// Writes the rows of a block of a relative answer; with one plane, that plane. One thread per
/// chunk. No races: each thread owns the cells of its chunk.
template <Wanted wanted>
__global__ void __launch_bounds__(kBlockSize)
    relative_rows_kernel(const StrengthPlanes planes, const Bricks bricks, const BrickBlock block,
                         std::uint16_t* __restrict__ rows) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= block.count * Bricks::kChunks) return;
  const auto brick = static_cast<int>(block.first + i / Bricks::kChunks);
  const auto chunk = static_cast<int>(i % Bricks::kChunks);
  const int x = bricks.place(brick, 0) * Bricks::kX + chunk % 8 * 2;
  const int y = bricks.place(brick, 1) * Bricks::kY + chunk / 8 % 4 * 4;
  const int z = bricks.place(brick, 2) * Bricks::kZ + chunk / 32;
  if (x >= block.pitch || z >= block.rows.z1) return;
  const Relative relative = relative_of(planes, block.first * Bricks::kChunks + i);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (y + k >= block.rows.y1) return;
    *reinterpret_cast<std::uint32_t*>(rows + block.offset(x, y + k, z)) =
        wanted == Wanted::Strength ? relative.best[k] : relative.label[k];
  }
}

/// Position of a group: the first finds no labels in the rows, and after the last no more come.
struct GroupPlace {
  bool first;
  bool last;
};

/// Converts planes of bits to the rows of a block and joins them with the labels of earlier groups.
/// A cell gets the only label that reaches it, or kTie; after the last group kTie becomes 0. One
/// thread per 16 cells of a row; no races.
static __global__ void __launch_bounds__(kBlockSize)
    label_rows_kernel(const BitRows* __restrict__ planes, const LabelGroup group,
                      const GroupPlace place, const Bricks bricks, const BrickBlock block,
                      std::uint16_t* __restrict__ labels) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= block.count * 128) return;
  const auto brick = static_cast<int>(block.first + i / 128);
  const auto row = static_cast<int>(i % 128);  // within a brick: z, y
  const int x0 = bricks.place(brick, 0) * Bricks::kX;
  const int y = bricks.place(brick, 1) * Bricks::kY + row % 16;
  const int z = bricks.place(brick, 2) * Bricks::kZ + row / 16;
  if (!block.rows.contains(y, z)) return;
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
    if (x0 + half * kVector >= block.pitch) return;
    std::uint16_t* const at = labels + block.offset(x0 + half * kVector, y, z);
    U16Vector cells = place.first ? U16Vector{} : load_vector(at);
#pragma unroll
    for (int k = 0; k < kVector; ++k) {
      const int x = half * kVector + k;
      const std::uint16_t own = (several >> x & 1U) != 0 ? kTie : label[x];
      const std::uint16_t joined = LabelRule::join(own, cells.cell[k]);
      cells.cell[k] = place.last && joined == kTie ? 0 : joined;
    }
    store_vector(at, cells);
  }
}

/// Adds to a plane of bits the cells that the labels of a group reach, except label `left_out`. One
/// thread per lane's rows. No races: each thread owns what it writes.
static __global__ void __launch_bounds__(kBlockSize)
    others_kernel(const BitRows* __restrict__ planes, const LabelGroup group, int left_out,
                  std::int64_t rows, BitRows* __restrict__ others) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  BitRows any = others[i];
  for (int k = 0; k < group.count; ++k) {
    if (k == left_out) continue;
    const BitRows plane = planes[k * rows + i];
    any = {any.x | plane.x, any.y | plane.y};
  }
  others[i] = any;
}

/// Removes the cells of a plane of bits from all labels of a group but one, and flags the bricks
/// with such cells. One warp per brick. No races: each warp owns what it writes.
static __global__ void __launch_bounds__(kBlockSize)
    forget_kernel(const Bricks bricks, const BitRows* __restrict__ cells,
                  BitRows* __restrict__ planes, int labels, int left_out,
                  std::uint8_t* __restrict__ flags) {
  const auto brick = static_cast<int>(blockIdx.x * (kBlockSize / 32) + threadIdx.x / 32);
  if (brick >= bricks.count()) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const BitRows gone = cells[bit_rows_at(brick, lane)];
  if (!__any_sync(0xFFFFFFFFU, (gone.x | gone.y) != 0)) return;
  for (int k = 0; k < labels; ++k) {
    if (k == left_out) continue;
    BitRows& rows = planes[bit_rows_at(k * bricks.count() + brick, lane)];
    rows = {rows.x & ~gone.x, rows.y & ~gone.y};
  }
  if (lane == 0) flags[brick] = 1;
}

/// A problem's wavefronts on bricks. Strengths rise to their fixpoint; then labels spread along the
/// optimal edges. Both start from zero or from the result of a run with fewer seeds.
class BrickRun {
 public:
  using Strength = DeviceBuffer<std::uint16_t>;
  using Bits = DeviceBuffer<BitRows>;

  BrickRun(const fuzzy::Problem& problem, Context& context, Returns returns = Returns::Answer)
      : context_(context),
        run_(problem, context, returns),
        bricks_(bricks_of(problem.scene.geometry)),
        affinity_(brick_affinity_on_device(problem, context, run_.stream, run_.clock)),
        unfinished_(flags()),
        risen_(flags()),
        queue_(bricks_.count(), run_.stream) {}

  [[nodiscard]] Run& run() { return run_; }

  /// Returns a plane of zeros in brick layout.
  [[nodiscard]] Strength zeros() const {
    Strength plane(bricks_.count() * Bricks::kCells, run_.stream);
    plane.fill_bytes(0, run_.stream);
    return plane;
  }
  /// Returns planes of zeros for the labels of a group.
  [[nodiscard]] Bits no_labels(int count) const {
    Bits planes(bit_rows_at(count * bricks_.count(), 0), run_.stream);
    planes.fill_bytes(0, run_.stream);
    return planes;
  }

  /// Raises `strength` to the strengths to `seeds` of one label (0: of all), in addition to the
  /// seeds from which it was computed. sources: null, or cells that already have some strength,
  /// given in place of the label.
  void spread_strength(const DeviceSeeds& seeds, std::uint16_t only, Strength& strength,
                       const DeviceSeeds* sources = nullptr) {
    unfinished_.fill_bytes(0, run_.stream);
    risen_.fill_bytes(0, run_.stream);
    if (sources != nullptr) {
      set_seeds(*sources, StartSource{strength.data()}, bricks_, unfinished_.data(), run_.stream);
    }
    set_seeds(seeds, StartStrength{only, strength.data()}, bricks_, unfinished_.data(),
              run_.stream);
    queue_.queue_flagged(unfinished_, run_.stream);
    run_tiles(
        queue_,
        StrengthBricks(bricks_, edges_of(*affinity_), reinterpret_cast<uint4*>(strength.data()),
                       unfinished_.data(), risen_.data()),
        context_, run_.stream);
  }

  /// Enqueues the computation of the edges along which labels pass.
  [[nodiscard]] Bits optimal_edges(const Strength& strength) const {
    Bits inwards(inward_at(bricks_.count(), 0, 0), run_.stream);
    optimal_edges_kernel<<<edge_blocks(), kOptimalEdgesThreads, 0, run_.stream.get()>>>(
        bricks_, edges_of(*affinity_), reinterpret_cast<const uint4*>(strength.data()),
        inwards.data());
    check_launch(run_.stream.get());
    return inwards;
  }

  /// Spreads the labels of a group from their seeds along these edges. planes: zeros. known: null,
  /// or other cells with labels.
  void spread_labels(const LabelGroup& group, const Bits& inwards, Bits& planes,
                     const DeviceSeeds* known = nullptr) {
    unfinished_.fill_bytes(0, run_.stream);
    if (known != nullptr) {
      set_seeds(*known, StartBits{group, planes.data()}, bricks_, unfinished_.data(), run_.stream);
    }
    set_seeds(run_.seeds, StartBits{group, planes.data()}, bricks_, unfinished_.data(),
              run_.stream);
    flood(inwards, planes, group.count, unfinished_);
  }

  /// The part of a finished result that may be invalid after the last spread_strength() from it.
  ///
  /// All optimal paths to cells that rose come from added seeds and lie in such cells. All other
  /// edges are still optimal. If all added seeds have one label, that label is therefore
  /// nowhere lost. Other labels are lost where strengths rose, and possibly wherever they spread
  /// from there.
  struct Doubt {
    /// The label that is still valid; 0: none.
    std::uint16_t sure;
    /// The cells of other labels that may be invalid. `everywhere` is set if there were so many
    /// that finding the rest would take longer than it could save.
    Bits cells;
    bool everywhere;
    /// Flags of the bricks in which a cell gained an edge.
    DeviceBuffer<std::uint8_t> gained;
  };
  /// Updates the edges. groups, planes: the previous labels. sure: the label of all added seeds, 0
  /// if they have several.
  [[nodiscard]] Doubt update_edges(const Strength& strength, std::uint16_t sure,
                                   const std::vector<LabelGroup>& groups,
                                   const std::vector<Bits>& planes, Bits& inwards) {
    Bits others = no_labels(1);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      others_kernel<<<blocks_for(others.size()), kBlockSize, 0, run_.stream.get()>>>(
          planes[g].data(), groups[g], groups[g].plane_of(sure), others.size(), others.data());
      check_launch(run_.stream.get());
    }
    Doubt doubt{sure, no_labels(1), false, flags()};
    doubt.gained.fill_bytes(0, run_.stream);
    unfinished_.fill_bytes(0, run_.stream);
    changed_edges_kernel<<<edge_blocks(), kOptimalEdgesThreads, 0, run_.stream.get()>>>(
        bricks_, edges_of(*affinity_), reinterpret_cast<const uint4*>(strength.data()),
        inwards.data(),
        {risen_.data(), others.data(), doubt.cells.data(), unfinished_.data(),
         doubt.gained.data()});
    check_launch(run_.stream.get());
    // Spreading all labels again takes about 20 ns per brick on an H200.
    constexpr std::chrono::nanoseconds kOfBrick{3};
    constexpr std::chrono::nanoseconds kLeast{20'000};
    queue_.queue_flagged(unfinished_, run_.stream);
    doubt.everywhere = !run_tiles_within(std::max(kLeast, kOfBrick * bricks_.count()), queue_,
                                         ReachBricks(bricks_, inwards.data(), doubt.cells.data(), 1,
                                                     unfinished_.data(), others.data()),
                                         run_.stream);
    return doubt;
  }
  /// Discards invalid labels and spreads the labels of the group again: from what remains, from all
  /// seeds, and along the gained edges. `added`: the new seeds.
  void respread_labels(const LabelGroup& group, const DeviceSeeds& added, const Doubt& doubt,
                       const Bits& inwards, Bits& planes) {
    CUDA_CHECK(cudaMemcpyAsync(unfinished_.data(), doubt.gained.data(), unfinished_.bytes(),
                               cudaMemcpyDeviceToDevice, run_.stream.get()));
    if (doubt.everywhere) {
      forget_all(group, group.plane_of(doubt.sure), planes);
      set_seeds(run_.seeds, StartBits{group, planes.data()}, bricks_, unfinished_.data(),
                run_.stream);
      flood(inwards, planes, group.count, unfinished_);
      return;
    }
    forget_kernel<<<blocks_for(bricks_.count() * 32), kBlockSize, 0, run_.stream.get()>>>(
        bricks_, doubt.cells.data(), planes.data(), group.count, group.plane_of(doubt.sure),
        unfinished_.data());
    check_launch(run_.stream.get());
    // An invalid seed lost its own label too; its brick is flagged.
    set_seeds(run_.seeds, StartBits{group, planes.data()}, bricks_, nullptr, run_.stream);
    set_seeds(added, StartBits{group, planes.data()}, bricks_, unfinished_.data(), run_.stream);
    flood(inwards, planes, group.count, unfinished_);
  }

  // Parts of an answer, written one block of rows at a time.

  /// Writes the only label of all groups that reaches a cell; 0 or kTie if several do.
  enum class Ties { Zero, Kept };
  [[nodiscard]] Download::Fill reached_labels(const std::vector<LabelGroup>& groups,
                                              const std::vector<Bits>& planes,
                                              Ties ties = Ties::Zero) const {
    return [&groups, &planes, ties, this](const RowBlock& rows, std::uint16_t* cells) {
      const BrickBlock block(rows, bricks_, run_.grid);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        label_rows_kernel<<<blocks_for(block.count * 128), kBlockSize, 0, run_.stream.get()>>>(
            planes[g].data(), groups[g],
            GroupPlace{g == 0, g + 1 == groups.size() && ties == Ties::Zero}, bricks_, block,
            cells);
        check_launch(run_.stream.get());
      }
    };
  }
  /// Writes the greatest of the strengths.
  [[nodiscard]] Download::Fill greatest(const StrengthPlanes& planes) const {
    return relative_rows<Wanted::Strength>(planes);
  }
  /// Writes the label with the greatest strength; 0 on a tie.
  [[nodiscard]] Download::Fill relative_labels(const StrengthPlanes& planes) const {
    return relative_rows<Wanted::Label>(planes);
  }
  /// Writes `labels`, but painted labels at seeds.
  [[nodiscard]] Download::Fill painted(Download::Fill labels) const {
    return [labels = std::move(labels), this](const RowBlock& rows, std::uint16_t* cells) {
      labels(rows, cells);
      run_.seeds.mark_labels(run_.grid, rows, cells, run_.stream);
    };
  }

 private:
  [[nodiscard]] DeviceBuffer<std::uint8_t> flags() const { return {bricks_.count(), run_.stream}; }
  [[nodiscard]] unsigned edge_blocks() const {
    constexpr int kWarps = kOptimalEdgesThreads / 32;
    return static_cast<unsigned>((bricks_.count() + kWarps - 1) / kWarps);
  }

  /// Removes all cells from all labels of a group but one.
  void forget_all(const LabelGroup& group, int left_out, Bits& planes) const {
    const std::int64_t rows = bit_rows_at(bricks_.count(), 0);
    for (int k = 0; k < group.count; ++k) {
      if (k == left_out) continue;
      CUDA_CHECK(cudaMemsetAsync(planes.data() + k * rows, 0,
                                 static_cast<std::size_t>(rows) * sizeof(BitRows),
                                 run_.stream.get()));
    }
  }

  /// Spreads planes of bits from the flagged bricks to all that they reach; within: see
  /// ReachBricks.
  void flood(const Bits& inwards, Bits& planes, int count, DeviceBuffer<std::uint8_t>& flags,
             const BitRows* within = nullptr) {
    queue_.queue_flagged(flags, run_.stream);
    run_tiles(queue_,
              ReachBricks(bricks_, inwards.data(), planes.data(), count, flags.data(), within),
              context_, run_.stream);
  }

  template <Wanted wanted>
  [[nodiscard]] Download::Fill relative_rows(const StrengthPlanes& planes) const {
    return [planes, this](const RowBlock& rows, std::uint16_t* cells) {
      const BrickBlock block(rows, bricks_, run_.grid);
      relative_rows_kernel<wanted>
          <<<blocks_for(block.count * Bricks::kChunks), kBlockSize, 0, run_.stream.get()>>>(
              planes, bricks_, block, cells);
      check_launch(run_.stream.get());
    };
  }

  Context& context_;
  Run run_;
  Bricks bricks_;
  std::shared_ptr<const BrickAffinity> affinity_;
  DeviceBuffer<std::uint8_t> unfinished_;
  /// Flags of the bricks in which the last spread_strength() raised strengths.
  DeviceBuffer<std::uint8_t> risen_;
  DeviceQueue queue_;
};

}  // namespace seedwave::gpu
