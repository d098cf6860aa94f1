// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/fuzzy/brick_affinity.cuh"
#include "gpu/fuzzy/brick_rows.cuh"
#include "gpu/fuzzy/brick_seeds.cuh"
#include "gpu/fuzzy/optimal_edges.cuh"
#include "gpu/fuzzy/run.h"
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
