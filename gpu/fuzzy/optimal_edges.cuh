// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/wavefront/bricks.cuh"
#include "gpu/wavefront/cell_pair.cuh"
#include "gpu/wavefront/reach_bricks.cuh"

#include <cstdint>

/// Computes, from finished strengths, the edges along which labels pass: LabelRule::passes(), as
/// bits.
namespace seedwave::gpu {

/// Strengths and affinities of a brick and its surroundings, as read by lane (z, a); 0 outside.
class BrickStrengths {
 public:
  __device__ BrickStrengths(const Bricks& bricks, const BrickEdges& edges, const uint4* strength,
                            int brick, int lane)
      : edges_(edges),
        strength_(strength),
        brick_(brick),
        z_(lane / 4),
        a_(lane % 4),
        lane_(lane),
        x_low_(bricks.beyond<0, Bricks::End::Low>(brick)),
        x_high_(bricks.beyond<0, Bricks::End::High>(brick)),
        y_low_(bricks.beyond<1, Bricks::End::Low>(brick)),
        y_high_(bricks.beyond<1, Bricks::End::High>(brick)),
        z_low_(bricks.beyond<2, Bricks::End::Low>(brick)),
        z_high_(bricks.beyond<2, Bricks::End::High>(brick)) {}

  /// The pairs x = 2p, 2p + 1 of the lane's four rows; under() and over() are one plane below and
  /// above.
  [[nodiscard]] __device__ uint4 own(int p) const { return chunk(strength_, brick_, z_, a_, p); }
  [[nodiscard]] __device__ uint4 under(int p) const {
    return z_ > 0 ? chunk(strength_, brick_, z_ - 1, a_, p)
                  : chunk(strength_, z_low_, Bricks::kZ - 1, a_, p);
  }
  [[nodiscard]] __device__ uint4 over(int p) const { return above(strength_, p); }
  /// Affinities of the lane's rows to those.
  [[nodiscard]] __device__ uint4 edges_under(int p) const {
    return chunk(edges_.along_z, brick_, z_, a_, p);
  }
  [[nodiscard]] __device__ uint4 edges_over(int p) const { return above(edges_.along_z, p); }
  /// The pairs in the row before the lane's first row and after its last.
  [[nodiscard]] __device__ std::uint32_t before(int p) const {
    return a_ > 0 ? chunk(strength_, brick_, z_, a_ - 1, p).w
                  : chunk(strength_, y_low_, z_, 3, p).w;
  }
  [[nodiscard]] __device__ std::uint32_t after(int p) const { return next(strength_, p); }
  /// Affinities of each row to the row before it, and of the last row to the row after it.
  [[nodiscard]] __device__ uint4 edges_before(int p) const {
    return chunk(edges_.along_y, brick_, z_, a_, p);
  }
  [[nodiscard]] __device__ std::uint32_t edge_after(int p) const { return next(edges_.along_y, p); }
  /// The pairs at x = -2, -1 and 16, 17.
  [[nodiscard]] __device__ uint4 left() const { return chunk(strength_, x_low_, z_, a_, 7); }
  [[nodiscard]] __device__ uint4 right() const { return chunk(strength_, x_high_, z_, a_, 0); }
  /// Affinities of the rows 2 line, 2 line + 1, at four x from 4 q on, to the x before.
  [[nodiscard]] __device__ uint4 edges_left(int line, int q) const {
    return word(edges_.along_x, brick_, (line * 4 + q) * 32 + lane_);
  }
  /// The same affinities at x = 16.
  [[nodiscard]] __device__ std::uint32_t edge_right(int line) const {
    return word(edges_.along_x, x_high_, line * 4 * 32 + lane_).x;
  }

 private:
  [[nodiscard]] static __device__ uint4 word(const uint4* plane, int brick, int at) {
    if (brick < 0) return make_uint4(0, 0, 0, 0);
    return __ldg(plane + static_cast<std::int64_t>(brick) * Bricks::kChunks + at);
  }
  [[nodiscard]] static __device__ uint4 chunk(const uint4* plane, int brick, int z, int a, int p) {
    return word(plane, brick, z * 32 + a * 8 + p);
  }
  [[nodiscard]] __device__ uint4 above(const uint4* plane, int p) const {
    return z_ + 1 < Bricks::kZ ? chunk(plane, brick_, z_ + 1, a_, p)
                               : chunk(plane, z_high_, 0, a_, p);
  }
  [[nodiscard]] __device__ std::uint32_t next(const uint4* plane, int p) const {
    return a_ < 3 ? chunk(plane, brick_, z_, a_ + 1, p).x : chunk(plane, y_high_, z_, 0, p).x;
  }

  BrickEdges edges_;
  const uint4* strength_;
  int brick_;
  int z_;
  int a_;
  int lane_;
  int x_low_;
  int x_high_;
  int y_low_;
  int y_high_;
  int z_low_;
  int z_high_;
};

/// Sets bit 0 and bit 16 for two cells if min(h(e), affinity) = h(c) > 0. The minimum never exceeds
/// h(c) once the strengths are finished. A strength of 0 is replaced by 1 and so equals none.
[[nodiscard]] __device__ inline std::uint32_t passes(std::uint32_t from, std::uint32_t edge,
                                                     std::uint32_t to) {
  constexpr std::uint32_t kOnes = 0x00010001U;
  const std::uint32_t apart = __vminu2(from, edge) ^ __vmaxu2(to, kOnes);
  return __vminu2(apart, kOnes) ^ kOnes;
}

/// Returns whether a brick or one of its six neighbours is flagged. Called by all lanes of the
/// warp.
[[nodiscard]] __device__ inline bool any_around(const Bricks& bricks, const std::uint8_t* flags,
                                                int brick, int lane) {
  using enum Bricks::End;
  const int around[7] = {brick,
                         bricks.beyond<0, Low>(brick),
                         bricks.beyond<0, High>(brick),
                         bricks.beyond<1, Low>(brick),
                         bricks.beyond<1, High>(brick),
                         bricks.beyond<2, Low>(brick),
                         bricks.beyond<2, High>(brick)};
  int own = -1;
#pragma unroll
  for (int i = 0; i < 7; ++i) {
    if (lane == i) own = around[i];
  }
  return __any_sync(0xFFFFFFFFU, own >= 0 && flags[own] != 0);
}

/// The edges into a lane's cells of a brick.
struct InwardRows {
  BitRows from[kInwards];
};

/// Returns the edges into a brick's cells from all six sides. Called by all lanes of the warp.
[[nodiscard]] __device__ inline InwardRows inward_rows(const BrickStrengths& around) {
  InwardRows rows{};
  const auto word = [&rows](int inward, int i) -> std::uint32_t& {
    return i == 0 ? rows.from[inward].x : rows.from[inward].y;
  };

  // Along y and z the pairs lie along x.
#pragma unroll
  for (int p = 0; p < 8; ++p) {
    const uint4 own4 = around.own(p);
    const uint4 under4 = around.under(p);
    const uint4 over4 = around.over(p);
    const uint4 edges_under4 = around.edges_under(p);
    const uint4 edges_over4 = around.edges_over(p);
    const uint4 edges_before4 = around.edges_before(p);
    const std::uint32_t own[6] = {around.before(p), own4.x, own4.y,
                                  own4.z,           own4.w, around.after(p)};
    const std::uint32_t under[4] = {under4.x, under4.y, under4.z, under4.w};
    const std::uint32_t over[4] = {over4.x, over4.y, over4.z, over4.w};
    const std::uint32_t edge_under[4] = {edges_under4.x, edges_under4.y, edges_under4.z,
                                         edges_under4.w};
    const std::uint32_t edge_over[4] = {edges_over4.x, edges_over4.y, edges_over4.z, edges_over4.w};
    const std::uint32_t edge_before[5] = {edges_before4.x, edges_before4.y, edges_before4.z,
                                          edges_before4.w, around.edge_after(p)};
#pragma unroll
    for (int row = 0; row < 4; ++row) {
      const std::uint32_t to = own[row + 1];
      const auto note = [&](int inward, std::uint32_t passing) {
        word(inward, row / 2) |= ((passing | passing >> 15) & 3U) << (2 * p + 16 * (row % 2));
      };
      note(FromYLow, passes(own[row], edge_before[row], to));
      note(FromYHigh, passes(own[row + 2], edge_before[row + 1], to));
      note(FromZLow, passes(under[row], edge_under[row], to));
      note(FromZHigh, passes(over[row], edge_over[row], to));
    }
  }

  // Along x the pairs are transposed.
  const auto turned = [](const uint4& rows, int line, NarrowPair::Pick pick) {
    return line == 0 ? NarrowPair::picked({rows.x}, {rows.y}, pick).cells
                     : NarrowPair::picked({rows.z}, {rows.w}, pick).cells;
  };
#pragma unroll
  for (int line = 0; line < 2; ++line) {
    std::uint32_t last = turned(around.left(), line, NarrowPair::kSeconds);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const uint4 edges4 = around.edges_left(line, q);
      const std::uint32_t edge[4] = {edges4.x, edges4.y, edges4.z, edges4.w};
      const uint4 first4 = around.own(2 * q);
      const uint4 second4 = around.own(2 * q + 1);
      const std::uint32_t cells[4] = {
          turned(first4, line, NarrowPair::kFirsts), turned(first4, line, NarrowPair::kSeconds),
          turned(second4, line, NarrowPair::kFirsts), turned(second4, line, NarrowPair::kSeconds)};
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int x = 4 * q + k;
        word(FromXLow, line) |= passes(last, edge[k], cells[k]) << x;
        if (x > 0) word(FromXHigh, line) |= passes(cells[k], edge[k], last) << (x - 1);
        last = cells[k];
      }
    }
    const std::uint32_t right = turned(around.right(), line, NarrowPair::kFirsts);
    word(FromXHigh, line) |= passes(right, around.edge_right(line), last) << 15;
  }
  return rows;
}

inline constexpr int kOptimalEdgesThreads = 128;

/// Writes the edges of all bricks. One warp per brick; no shared memory. No races: each warp owns
/// what it writes.
static __global__ void __launch_bounds__(kOptimalEdgesThreads)
    optimal_edges_kernel(const Bricks bricks, const BrickEdges edges, const uint4* strength,
                         BitRows* inwards) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto brick = static_cast<int>(blockIdx.x * (kOptimalEdgesThreads / 32) + threadIdx.x / 32);
  if (brick >= bricks.count()) return;
  const InwardRows rows = inward_rows(BrickStrengths(bricks, edges, strength, brick, lane));
#pragma unroll
  for (int inward = 0; inward < kInwards; ++inward)
    inwards[inward_at(brick, inward, lane)] = rows.from[inward];
}

/// The changes of edges caused by strengths that rose.
struct EdgeChanges {
  /// A flag per brick, nonzero if strengths have risen.
  const std::uint8_t* risen;
  /// A plane of the cells whose lost edges matter.
  const BitRows* within;
  /// A plane of zeros that receives the cells that lost an edge, and flags of the bricks with such
  /// cells.
  BitRows* lost;
  std::uint8_t* has_lost;
  /// Flags of the bricks in which a cell gained an edge.
  std::uint8_t* has_gained;
};

/// Updates the edges of bricks in or next to which strengths have risen. As above.
static __global__ void __launch_bounds__(kOptimalEdgesThreads)
    changed_edges_kernel(const Bricks bricks, const BrickEdges edges, const uint4* strength,
                         BitRows* inwards, const EdgeChanges changes) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto brick = static_cast<int>(blockIdx.x * (kOptimalEdgesThreads / 32) + threadIdx.x / 32);
  if (brick >= bricks.count()) return;
  if (!any_around(bricks, changes.risen, brick, lane)) return;
  const InwardRows rows = inward_rows(BrickStrengths(bricks, edges, strength, brick, lane));
  BitRows lost{0, 0};
  BitRows gained{0, 0};
#pragma unroll
  for (int inward = 0; inward < kInwards; ++inward) {
    BitRows* const at = inwards + inward_at(brick, inward, lane);
    const BitRows before = *at;
    const BitRows now = rows.from[inward];
    lost = {lost.x | (before.x & ~now.x), lost.y | (before.y & ~now.y)};
    gained = {gained.x | (now.x & ~before.x), gained.y | (now.y & ~before.y)};
    *at = now;
  }
  const BitRows within = changes.within[bit_rows_at(brick, lane)];
  lost = {lost.x & within.x, lost.y & within.y};
  if (__any_sync(0xFFFFFFFFU, (lost.x | lost.y) != 0)) {
    changes.lost[bit_rows_at(brick, lane)] = lost;
    if (lane == 0) changes.has_lost[brick] = 1;
  }
  if (__any_sync(0xFFFFFFFFU, (gained.x | gained.y) != 0) && lane == 0) {
    changes.has_gained[brick] = 1;
  }
}

}  // namespace seedwave::gpu
