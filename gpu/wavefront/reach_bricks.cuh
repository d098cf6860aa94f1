// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/wavefront/bricks.cuh"
#include "gpu/wavefront/engine.cuh"

#include <cstdint>

/// Labels along optimal edges, on bricks, one bit per cell and label: ReachRule.
namespace seedwave::gpu {

/// 64 cells of a brick: lane (z, a) has the rows y = 4a .. 4a + 3 of plane z, two per word, with 16
/// bits along x each.
using BitRows = uint2;

/// The direction from which a cell may take its neighbour's labels. The bits are stored like other
/// planes of bits, brick by brick, but with all six directions of a brick together.
enum Inward { FromXLow, FromXHigh, FromYLow, FromYHigh, FromZLow, FromZHigh, kInwards };

/// Returns the index of a lane's rows of a brick in a plane of bits.
[[nodiscard]] SEEDWAVE_HD inline std::int64_t bit_rows_at(std::int64_t brick, int lane) {
  return brick * 32 + lane;
}
/// Returns the same index among the edges.
[[nodiscard]] SEEDWAVE_HD inline std::int64_t inward_at(std::int64_t brick, int inward, int lane) {
  return (brick * kInwards + inward) * 32 + lane;
}

class ReachBricks {
 public:
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = 8;
  struct Scratch {};

  /// labels: number of planes of bits, in sequence. unfinished: a flag per brick, nonzero if it has
  /// seeds; queue those bricks. within: a plane of the cells that may take labels; null: all.
  ReachBricks(const Bricks& bricks, const BitRows* edges, BitRows* planes, int labels,
              std::uint8_t* unfinished, const BitRows* within = nullptr)
      : bricks_(bricks),
        edges_(edges),
        planes_(planes),
        labels_(labels),
        unfinished_(unfinished),
        within_(within) {}

  __device__ TileVisitEnd visit(std::int32_t brick, int lane, Scratch&) const {
    const bool unfinished = __ldcg(unfinished_ + brick) != 0;
    const Beyond beyond = beyond_of(brick);
    BitRows edges[kInwards];
#pragma unroll
    for (int inward = 0; inward < kInwards; ++inward)
      edges[inward] = edges_into(brick, inward, lane);
    const BitRows from_x_high{__brev(edges[FromXHigh].x), __brev(edges[FromXHigh].y)};

    unsigned gaining = 0;
    for (int label = 0; label < labels_; ++label) {
      BitRows* plane = planes_ + label * bricks_.count() * 32;
      const BitRows before = __ldcg(plane + bit_rows_at(brick, lane));
      BitRows rows = joined(before, offered(plane, beyond, edges, lane));
      // The brick's own cells have already passed on their labels. Most labels have no news.
      if (!unfinished && !differ(rows, before)) continue;
      rows = flooded(rows, edges, from_x_high, lane);
      const bool rose = differ(rows, before);
      if (rose) plane[bit_rows_at(brick, lane)] = rows;
      // A seed at a face may be news only to the neighbour.
      if (rose || unfinished) gaining |= gain_of(plane, beyond, rows, lane);
    }
    if (lane == 0 && unfinished) unfinished_[brick] = 0;
    gaining = __reduce_or_sync(kAll, gaining);
    std::int32_t wake = -1;
#pragma unroll
    for (int inward = 0; inward < kInwards; ++inward) {
      if (lane == inward && (gaining >> inward & 1U) != 0) wake = beyond.brick[inward];
    }
    return {wake, false};
  }

 private:
  static constexpr unsigned kAll = 0xFFFFFFFFU;
  static constexpr std::uint32_t kFirstOfRows = 0x00010001U;  // x = 0 of both rows of a word

  /// The bricks on the six sides, -1 outside.
  struct Beyond {
    std::int32_t brick[kInwards];
  };
  [[nodiscard]] __device__ Beyond beyond_of(std::int32_t brick) const {
    using enum Bricks::End;
    return {{bricks_.beyond<0, Low>(brick), bricks_.beyond<0, High>(brick),
             bricks_.beyond<1, Low>(brick), bricks_.beyond<1, High>(brick),
             bricks_.beyond<2, Low>(brick), bricks_.beyond<2, High>(brick)}};
  }
  [[nodiscard]] static __device__ BitRows joined(BitRows a, BitRows b) {
    return {a.x | b.x, a.y | b.y};
  }
  /// Returns whether a and b differ in any lane.
  [[nodiscard]] static __device__ bool differ(BitRows a, BitRows b) {
    return __any_sync(kAll, a.x != b.x || a.y != b.y);
  }
  [[nodiscard]] static __device__ BitRows both(BitRows a, BitRows b) {
    return {a.x & b.x, a.y & b.y};
  }

  [[nodiscard]] __device__ BitRows edges_into(std::int32_t brick, int inward, int lane) const {
    const BitRows edges = __ldg(edges_ + inward_at(brick, inward, lane));
    return within_ == nullptr ? edges : both(edges, __ldg(within_ + bit_rows_at(brick, lane)));
  }

  // The lanes at the faces along y and z, and the adjacent lane of the brick beyond.
  [[nodiscard]] static __device__ bool at_face(int inward, int lane) {
    switch (inward) {
      case FromYLow:
        return lane % 4 == 0;
      case FromYHigh:
        return lane % 4 == 3;
      case FromZLow:
        return lane / 4 == 0;
      case FromZHigh:
        return lane / 4 == Bricks::kZ - 1;
      default:
        return true;
    }
  }
  [[nodiscard]] static __device__ int lane_beyond(int inward, int lane) {
    if (inward == FromYLow || inward == FromYHigh) return lane ^ 3;
    return inward == FromZLow || inward == FromZHigh ? lane ^ 28 : lane;
  }
  /// Moves the cells of the brick beyond that touch this one to the cells that they touch.
  [[nodiscard]] static __device__ BitRows moved_in(int inward, BitRows theirs) {
    switch (inward) {
      case FromXLow:
        return {theirs.x >> 15 & kFirstOfRows, theirs.y >> 15 & kFirstOfRows};
      case FromXHigh:
        return {(theirs.x & kFirstOfRows) << 15, (theirs.y & kFirstOfRows) << 15};
      case FromYLow:
        return {theirs.y >> 16, 0};
      case FromYHigh:
        return {0, theirs.x << 16};
      default:
        return theirs;
    }
  }

  /// Returns the labels that the neighbours pass into the brick.
  [[nodiscard]] __device__ BitRows offered(const BitRows* plane, const Beyond& beyond,
                                           const BitRows (&edges)[kInwards], int lane) const {
    BitRows rows{0, 0};
#pragma unroll
    for (int inward = 0; inward < kInwards; ++inward) {
      if (beyond.brick[inward] < 0 || !at_face(inward, lane)) continue;
      const BitRows theirs =
          __ldcg(plane + bit_rows_at(beyond.brick[inward], lane_beyond(inward, lane)));
      rows = joined(rows, both(moved_in(inward, theirs), edges[inward]));
    }
    return rows;
  }
  /// Returns a bit for each side on which a cell beyond gains from these rows. The known state of a
  /// neighbour may be old. It may then be woken needlessly, but is never missed.
  [[nodiscard]] __device__ unsigned gain_of(const BitRows* plane, const Beyond& beyond,
                                            BitRows rows, int lane) const {
    unsigned gaining = 0;
#pragma unroll
    for (int inward = 0; inward < kInwards; ++inward) {
      if (beyond.brick[inward] < 0 || !at_face(inward, lane)) continue;
      const int there = lane_beyond(inward, lane);
      const int outward = inward ^ 1;  // seen from there, this brick lies on the other side
      const BitRows edges = edges_into(beyond.brick[inward], outward, there);
      const BitRows theirs = __ldcg(plane + bit_rows_at(beyond.brick[inward], there));
      const BitRows gain = both(moved_in(outward, rows), edges);
      if ((gain.x & ~theirs.x) != 0 || (gain.y & ~theirs.y) != 0) gaining |= 1U << inward;
    }
    return gaining;
  }

  /// Fills rows upwards in x through cells that take from below. Adding one to the lowest of a run
  /// of ones carries through the run.
  [[nodiscard]] static __device__ std::uint32_t filled(std::uint32_t rows, std::uint32_t edges) {
    const std::uint32_t taking = rows << 1 & ~kFirstOfRows & edges;
    return rows | (edges & ~__vadd2(edges, taking)) | taking;
  }
  [[nodiscard]] static __device__ std::uint32_t filled_down(std::uint32_t rows,
                                                            std::uint32_t reversed_edges) {
    return __brev(filled(__brev(rows), reversed_edges));
  }

  /// Returns everything that the rows reach inside the brick.
  [[nodiscard]] static __device__ BitRows flooded(BitRows rows, const BitRows (&edges)[kInwards],
                                                  BitRows from_x_high, int lane) {
    const bool first = lane % 4 == 0;
    const bool last = lane % 4 == 3;
    for (;;) {
      const BitRows before = rows;
      rows.x = filled_down(filled(rows.x, edges[FromXLow].x), from_x_high.x);
      rows.y = filled_down(filled(rows.y, edges[FromXLow].y), from_x_high.y);
      // Along y one row at a time, twice each way, which nearly crosses a lane's four rows.
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        std::uint32_t below = __shfl_up_sync(kAll, rows.y, 1);
        if (first) below = 0;
        rows = joined(
            rows, both({__byte_perm(below, rows.x, 0x5432), __byte_perm(rows.x, rows.y, 0x5432)},
                       edges[FromYLow]));
        std::uint32_t above = __shfl_down_sync(kAll, rows.x, 1);
        if (last) above = 0;
        rows = joined(
            rows, both({__byte_perm(rows.x, rows.y, 0x5432), __byte_perm(rows.y, above, 0x5432)},
                       edges[FromYHigh]));
      }
      BitRows under{__shfl_up_sync(kAll, rows.x, 4), __shfl_up_sync(kAll, rows.y, 4)};
      if (lane / 4 == 0) under = {0, 0};
      rows = joined(rows, both(under, edges[FromZLow]));
      BitRows over{__shfl_down_sync(kAll, rows.x, 4), __shfl_down_sync(kAll, rows.y, 4)};
      if (lane / 4 == Bricks::kZ - 1) over = {0, 0};
      rows = joined(rows, both(over, edges[FromZHigh]));
      if (!differ(rows, before)) return rows;
    }
  }

  Bricks bricks_;
  const BitRows* edges_;
  BitRows* planes_;
  int labels_;
  std::uint8_t* unfinished_;
  const BitRows* within_;
};

}  // namespace seedwave::gpu
