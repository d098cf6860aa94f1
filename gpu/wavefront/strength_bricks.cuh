// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/wavefront/bricks.cuh"
#include "gpu/wavefront/cell_pair.cuh"
#include "gpu/wavefront/engine.cuh"

#include <cstdint>

/// Strengths of connectedness on bricks of 16 x 16 x 8 cells of u16 that a warp sweeps in its
/// registers; 6 neighbours, or 4 in 2-D.
namespace seedwave::gpu {

/// StrengthRule on bricks: a cell takes the greatest strength of its neighbours, each limited by
/// the affinity between them.
class StrengthBricks {
 public:
  static constexpr int kThreads = 128;
  static constexpr int kBlocks = 4;
  struct Scratch {
    uint4 chunk[Bricks::kChunks];
  };

  /// unfinished: a flag per brick, nonzero if it must be swept regardless of its neighbours; queue
  /// those bricks. changed: a flag per brick, set to 1 if something has risen.
  StrengthBricks(const Bricks& bricks, const BrickEdges& edges, uint4* states,
                 std::uint8_t* unfinished, std::uint8_t* changed)
      : bricks_(bricks),
        edges_(edges),
        states_(states),
        unfinished_(unfinished),
        changed_(changed) {}

  __device__ TileVisitEnd visit(std::int32_t brick, int lane, Scratch& scratch) const {
    __syncwarp();
#pragma unroll
    for (int z = 0; z < Bricks::kZ; ++z)
      scratch.chunk[place(z, lane / 8, lane % 8)] = __ldcg(at(states_, brick) + z * 32 + lane);
    __syncwarp();
    const bool unfinished = __ldcg(unfinished_ + brick) != 0;
    const Offers<0> x = offers<0>(brick, lane, scratch);
    const Offers<1> y = offers<1>(brick, lane, scratch);
    const Offers<2> z = offers<2>(brick, lane, scratch);
    bool along_x = unfinished || x.gain;
    bool along_y = unfinished || y.gain;
    bool along_z = unfinished || z.gain;
    if (!along_x && !along_y && !along_z) return {-1, false};

    bool rose = false;
    for (int left = kMostSweeps; left > 0 && (along_x || along_y || along_z);) {
      if (along_z) {
        const bool now = sweep<2>(brick, lane, scratch, z);
        along_z = false;
        along_x |= now;
        along_y |= now;
        rose |= now;
        --left;
      }
      if (along_y) {
        const bool now = sweep<1>(brick, lane, scratch, y);
        along_y = false;
        along_x |= now;
        along_z |= now;
        rose |= now;
        --left;
      }
      if (along_x) {
        const bool now = sweep<0>(brick, lane, scratch, x);
        along_x = false;
        along_y |= now;
        along_z |= now;
        rose |= now;
        --left;
      }
    }
    const bool again = along_x || along_y || along_z;
    if (lane == 0 && unfinished != again) unfinished_[brick] = again ? 1 : 0;
    // A seed at a face may be news only to the neighbour.
    if (!rose && !unfinished) return {-1, again};
    if (lane == 0) changed_[brick] = 1;

#pragma unroll
    for (int z_of = 0; z_of < Bricks::kZ; ++z_of)
      at(states_, brick)[z_of * 32 + lane] = scratch.chunk[place(z_of, lane / 8, lane % 8)];
    return {woken(brick, lane, scratch), again};
  }

 private:
  static constexpr unsigned kAll = 0xFFFFFFFFU;
  /// Maximum sweeps per visit. The rest is left to the next visit, which also sees the neighbours'
  /// changes until then.
  static constexpr int kMostSweeps = 18;
  static constexpr int kPairs = 32;  // per lane

  template <int axis>
  static constexpr int kLines = axis == 2 ? 4 : 2;
  template <int axis>
  static constexpr int kLength = kPairs / kLines<axis>;
  using End = Bricks::End;

  /// The offers at both ends of a lane's lines.
  template <int axis>
  struct Offers {
    NarrowPair low[kLines<axis>];
    NarrowPair high[kLines<axis>];
    bool gain;  // a cell rises by them; the same in all lanes
  };
  template <int axis>
  using Face = NarrowPair[kLines<axis>];

  [[nodiscard]] static __device__ int place(int z, int a, int p) {
    return z * 32 + a * 8 + (p ^ (a + 4 * (z & 1)));
  }
  template <typename Chunk>
  [[nodiscard]] static __device__ Chunk* at(Chunk* plane, std::int64_t brick) {
    return plane + brick * Bricks::kChunks;
  }

  /// A brick in shared memory.
  struct Here {
    const Scratch& scratch;
    [[nodiscard]] __device__ uint4 chunk(int z, int a, int p) const {
      return scratch.chunk[place(z, a, p)];
    }
    [[nodiscard]] __device__ NarrowPair pair(int z, int y, int p) const {
      return {reinterpret_cast<const std::uint32_t*>(&scratch.chunk[place(z, y / 4, p)])[y % 4]};
    }
  };
  /// A brick in device memory that its owner may be changing.
  struct There {
    const uint4* brick;
    [[nodiscard]] __device__ uint4 chunk(int z, int a, int p) const {
      return __ldcg(brick + z * 32 + a * 8 + p);
    }
    [[nodiscard]] __device__ NarrowPair pair(int z, int y, int p) const {
      return {
          __ldcg(reinterpret_cast<const std::uint32_t*>(brick + z * 32 + y / 4 * 8 + p) + y % 4)};
    }
  };
  /// A brick that does not change while the kernel runs.
  struct Fixed {
    const uint4* brick;
    [[nodiscard]] __device__ uint4 chunk(int z, int a, int p) const {
      return __ldg(brick + z * 32 + a * 8 + p);
    }
    [[nodiscard]] __device__ NarrowPair pair(int z, int y, int p) const {
      return {
          __ldg(reinterpret_cast<const std::uint32_t*>(brick + z * 32 + y / 4 * 8 + p) + y % 4)};
    }
  };

  /// The cells at one end of a lane's lines.
  template <int axis, End end, typename Brick>
  static __device__ void face(const Brick& brick, int lane, Face<axis>& cells) {
    constexpr bool high = end == End::High;
    if constexpr (axis == 2) {
      spread(brick.chunk(high ? Bricks::kZ - 1 : 0, lane / 8, lane % 8), cells);
    } else if constexpr (axis == 1) {
      cells[0] = brick.pair(lane / 8 * 2, high ? Bricks::kY - 1 : 0, lane % 8);
      cells[1] = brick.pair(lane / 8 * 2 + 1, high ? Bricks::kY - 1 : 0, lane % 8);
    } else {
      NarrowPair rows[4];
      spread(brick.chunk(lane / 4, lane % 4, high ? 7 : 0), rows);
      cells[0] =
          NarrowPair::picked(rows[0], rows[1], high ? NarrowPair::kSeconds : NarrowPair::kFirsts);
      cells[1] =
          NarrowPair::picked(rows[2], rows[3], high ? NarrowPair::kSeconds : NarrowPair::kFirsts);
    }
  }
  /// Reads the affinities across the lower face of a brick.
  template <int axis>
  __device__ void edges_below(std::int64_t brick, int lane, Face<axis>& edges) const {
    if constexpr (axis == 2) {
      face<2, End::Low>(Fixed{at(edges_.along_z, brick)}, lane, edges);
    } else if constexpr (axis == 1) {
      face<1, End::Low>(Fixed{at(edges_.along_y, brick)}, lane, edges);
    } else {
      edges[0] = {__ldg(at(edges_.along_x, brick) + lane).x};
      edges[1] = {__ldg(at(edges_.along_x, brick) + 4 * 32 + lane).x};
    }
  }
  static __device__ void spread(const uint4& chunk, NarrowPair (&pairs)[4]) {
    pairs[0] = {chunk.x};
    pairs[1] = {chunk.y};
    pairs[2] = {chunk.z};
    pairs[3] = {chunk.w};
  }

  /// Direction across a face between this brick and the next.
  enum class Way { In, Out };
  template <int axis, End end, Way way>
  [[nodiscard]] __device__ bool across(std::int32_t brick, std::int32_t next, int lane,
                                       const Scratch& scratch, Face<axis>& offers) const {
    constexpr End other = end == End::Low ? End::High : End::Low;
    Face<axis> own;
    Face<axis> theirs;
    Face<axis> edges;
    face<axis, end>(Here{scratch}, lane, own);
    face<axis, other>(There{at(states_, next)}, lane, theirs);
    edges_below<axis>(end == End::Low ? brick : next, lane, edges);
    bool gain = false;
#pragma unroll
    for (int line = 0; line < kLines<axis>; ++line) {
      const NarrowPair from = way == Way::In ? theirs[line] : own[line];
      const NarrowPair to = way == Way::In ? own[line] : theirs[line];
      offers[line] = lower(from, edges[line]);
      gain |= differ(higher(to, offers[line]), to);
    }
    return __any_sync(kAll, gain);
  }

  template <int axis>
  [[nodiscard]] __device__ Offers<axis> offers(std::int32_t brick, int lane,
                                               const Scratch& scratch) const {
    Offers<axis> offers{};
    const std::int32_t low = bricks_.beyond<axis, End::Low>(brick);
    const std::int32_t high = bricks_.beyond<axis, End::High>(brick);
    if (low >= 0)
      offers.gain |= across<axis, End::Low, Way::In>(brick, low, lane, scratch, offers.low);
    if (high >= 0) {
      offers.gain |= across<axis, End::High, Way::In>(brick, high, lane, scratch, offers.high);
    }
    return offers;
  }

  /// Returns the neighbour beyond that face if it gains from this brick, else -1. The known state
  /// of a neighbour may be old. It may then be woken needlessly, but is never missed.
  template <int axis, End end>
  [[nodiscard]] __device__ std::int32_t gaining(std::int32_t brick, int lane,
                                                const Scratch& scratch) const {
    const std::int32_t next = bricks_.beyond<axis, end>(brick);
    Face<axis> offers;
    return next >= 0 && across<axis, end, Way::Out>(brick, next, lane, scratch, offers) ? next : -1;
  }
  /// Returns the neighbours that gain, one in each of the first lanes.
  [[nodiscard]] __device__ std::int32_t woken(std::int32_t brick, int lane,
                                              const Scratch& scratch) const {
    const std::int32_t next[6] = {
        gaining<0, End::Low>(brick, lane, scratch), gaining<0, End::High>(brick, lane, scratch),
        gaining<1, End::Low>(brick, lane, scratch), gaining<1, End::High>(brick, lane, scratch),
        gaining<2, End::Low>(brick, lane, scratch), gaining<2, End::High>(brick, lane, scratch)};
    std::int32_t wake = -1;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
      if (lane == i) wake = next[i];
    }
    return wake;
  }

  /// Reads a lane's lines along an axis, one after the other.
  template <int axis, typename Brick>
  static __device__ void take(const Brick& brick, int lane, NarrowPair (&pairs)[kPairs]) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      NarrowPair some[4];
      if constexpr (axis == 2) {
        spread(brick.chunk(i, lane / 8, lane % 8), some);
#pragma unroll
        for (int line = 0; line < 4; ++line)
          pairs[line * Bricks::kZ + i] = some[line];
      } else if constexpr (axis == 1) {
        spread(brick.chunk(lane / 8 * 2 + i / 4, i % 4, lane % 8), some);
#pragma unroll
        for (int k = 0; k < 4; ++k)
          pairs[i * 4 + k] = some[k];
      } else {
        spread(brick.chunk(lane / 4, lane % 4, i), some);
#pragma unroll
        for (int line = 0; line < 2; ++line) {
          pairs[line * 16 + 2 * i] =
              NarrowPair::picked(some[2 * line], some[2 * line + 1], NarrowPair::kFirsts);
          pairs[line * 16 + 2 * i + 1] =
              NarrowPair::picked(some[2 * line], some[2 * line + 1], NarrowPair::kSeconds);
        }
      }
    }
  }
  template <int axis>
  static __device__ void put(const NarrowPair (&pairs)[kPairs], int lane, Scratch& scratch) {
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      NarrowPair some[4];
      int to = 0;
      if constexpr (axis == 2) {
#pragma unroll
        for (int line = 0; line < 4; ++line)
          some[line] = pairs[line * Bricks::kZ + i];
        to = place(i, lane / 8, lane % 8);
      } else if constexpr (axis == 1) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
          some[k] = pairs[i * 4 + k];
        to = place(lane / 8 * 2 + i / 4, i % 4, lane % 8);
      } else {
#pragma unroll
        for (int line = 0; line < 2; ++line) {
          const NarrowPair even = pairs[line * 16 + 2 * i];
          const NarrowPair odd = pairs[line * 16 + 2 * i + 1];
          some[2 * line] = NarrowPair::picked(even, odd, NarrowPair::kFirsts);
          some[2 * line + 1] = NarrowPair::picked(even, odd, NarrowPair::kSeconds);
        }
        to = place(lane / 4, lane % 4, i);
      }
      scratch.chunk[to] = make_uint4(some[0].cells, some[1].cells, some[2].cells, some[3].cells);
    }
    __syncwarp();
  }
  template <int axis>
  __device__ void take_edges(std::int64_t brick, int lane, NarrowPair (&pairs)[kPairs]) const {
    if constexpr (axis == 2) {
      take<2>(Fixed{at(edges_.along_z, brick)}, lane, pairs);
    } else if constexpr (axis == 1) {
      take<1>(Fixed{at(edges_.along_y, brick)}, lane, pairs);
    } else {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        NarrowPair some[4];
        spread(__ldg(at(edges_.along_x, brick) + i * 32 + lane), some);
#pragma unroll
        for (int k = 0; k < 4; ++k)
          pairs[i * 4 + k] = some[k];
      }
    }
  }

  /// Sweeps all lines of an axis, up and down at once. The two meet in the middle and continue
  /// through each other's results. Returns whether a cell rose.
  template <int axis>
  [[nodiscard]] __device__ bool sweep(std::int32_t brick, int lane, Scratch& scratch,
                                      const Offers<axis>& offers) const {
    constexpr int kLast = kLength<axis> - 1;
    NarrowPair states[kPairs];
    NarrowPair edges[kPairs];
    take_edges<axis>(brick, lane, edges);
    take<axis>(Here{scratch}, lane, states);
    NarrowWatch watch;
    watch.start(states);
#pragma unroll
    for (int i = 0; i <= kLast; ++i) {
#pragma unroll
      for (int line = 0; line < kLines<axis>; ++line) {
        const int first = line * kLength<axis>;
        const int up = first + i;
        const int down = first + kLast - i;
        const NarrowPair from_below = i == 0 ? offers.low[line] : lower(states[up - 1], edges[up]);
        states[up] = higher(states[up], from_below);
        const NarrowPair from_above =
            i == 0 ? offers.high[line] : lower(states[down + 1], edges[down + 1]);
        states[down] = higher(states[down], from_above);
      }
    }
    const bool rose = watch.risen(states);
    if (rose) put<axis>(states, lane, scratch);
    return rose;
  }

  Bricks bricks_;
  BrickEdges edges_;
  uint4* states_;
  std::uint8_t* unfinished_;
  std::uint8_t* changed_;
};

}  // namespace seedwave::gpu
