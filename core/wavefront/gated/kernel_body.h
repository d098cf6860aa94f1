// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, inside its instruction set. Everything here has internal
// linkage, so the linker cannot mix code for different processors.
#pragma once

#include "core/base/vector_lanes.h"
#include "core/wavefront/gated/kernel.h"

#include <cstdint>

namespace seedwave::gated {
namespace {

using Vector = VectorOf<std::uint16_t>::Type;
constexpr int kLanes = seedwave::kLanes<std::uint16_t>;
constexpr int kVectors = kSide / kLanes;

using Words [[gnu::vector_size(kVectorBytes)]] = std::int16_t;
using Bytes [[gnu::vector_size(kLanes)]] = std::int8_t;

/// A row in registers. Passed only by reference, because copies would go through memory.
using Row = Vector[kVectors];

/// Loads the gates of one vector of cells, each in the lower byte of a lane. The upper bytes are
/// arbitrary.
SEEDWAVE_INLINE Vector widened(Gates gates) {
  const auto bytes = load<Bytes>(gates);
#if defined(SEEDWAVE_FOR_AVX2) && !defined(__clang__)
  // gcc 12 turns the line below into four instructions.
  using Chars [[gnu::vector_size(kLanes)]] = char;
  return reinterpret_cast<Vector>(__builtin_ia32_pmovsxbw256(reinterpret_cast<Chars>(bytes)));
#else
  return reinterpret_cast<Vector>(__builtin_convertvector(bytes, Words));
#endif
}
/// Returns all ones if blocked: the gate's bit is shifted to the top and spread from there.
template <From from>
SEEDWAVE_INLINE Vector blocked(const Vector& gates) {
  return reinterpret_cast<Vector>(reinterpret_cast<Words>(gates << (15 - from)) >> 15);
}
/// Lane i takes lane i - 1; the first takes the last of `before`.
SEEDWAVE_INLINE Vector lanes_up(const Vector& before, const Vector& lanes) {
  return __builtin_shufflevector(before, lanes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                 28, 29, 30);
}
/// Lane i takes lane i + 1; the last takes the first of `behind`.
SEEDWAVE_INLINE Vector lanes_down(const Vector& lanes, const Vector& behind) {
  return __builtin_shufflevector(lanes, behind, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                 16);
}

/// Maps a direction in the transposed plane to the direction in the plane.
constexpr From kTurned[]{Left, Right, Above, Below, AboveLeft, BelowLeft, AboveRight, BelowRight};

template <Steps steps>
SEEDWAVE_INLINE Vector stepped(const Vector& lanes) {
  return steps == Steps::None ? lanes : lanes + 1;
}

/// Lowers row y by `offer`, the previous row after one step, and its cells by their neighbours
/// within the row. Adds the bits that fell to `fallen`. Then sets `offer` to row y after one step.
/// `across` is Above or Below.
template <Steps steps, Neighbours neighbours, From across, Way way>
SEEDWAVE_INLINE void lower(std::uint16_t* cells, Gates gates, int y, Row& offer, Vector& fallen) {
  constexpr From kToLeft = across == Above ? AboveLeft : BelowLeft;
  constexpr From kToRight = across == Above ? AboveRight : BelowRight;
  constexpr auto seen = [](From from) { return way == Way::Upright ? from : kTurned[from]; };
  const Vector nothing = ~Vector{};
  cells += y * kSide;
  gates += y * kSide;
  Row now;
  Row gate;
  Vector before = nothing;
  for (int v = 0; v < kVectors; ++v) {
    const int at = v * kLanes;
    const Vector own = offer[v];
    gate[v] = widened(gates + at);
    now[v] = lesser(load<Vector>(cells + at), own | blocked<seen(across)>(gate[v]));
    if constexpr (neighbours == Neighbours::Square) {
      const Vector behind = v + 1 == kVectors ? nothing : offer[v + 1];
      now[v] = lesser(now[v], lanes_up(before, own) | blocked<seen(kToLeft)>(gate[v]));
      now[v] = lesser(now[v], lanes_down(own, behind) | blocked<seen(kToRight)>(gate[v]));
      before = own;
    }
  }
  for (int v = 0; v < kVectors; ++v)
    offer[v] = stepped<steps>(now[v]);
  before = nothing;
  for (int v = 0; v < kVectors; ++v) {
    const int at = v * kLanes;
    const Vector own = offer[v];
    const Vector behind = v + 1 == kVectors ? nothing : offer[v + 1];
    const Vector left = lanes_up(before, own) | blocked<seen(Left)>(gate[v]);
    const Vector right = lanes_down(own, behind) | blocked<seen(Right)>(gate[v]);
    const Vector lowest = lesser(now[v], lesser(left, right));
    before = own;
    fallen |= lowest ^ load<Vector>(cells + at);
    store(cells + at, lowest);
    offer[v] = stepped<steps>(lowest);
  }
}
/// Reads the first and the last row, after one step.
template <Steps steps>
SEEDWAVE_INLINE void read_ends(const std::uint16_t* cells, Row& down, Row& up) {
  for (int v = 0; v < kVectors; ++v) {
    down[v] = stepped<steps>(load<Vector>(cells + v * kLanes));
    up[v] = stepped<steps>(load<Vector>(cells + (kSide - 1) * kSide + v * kLanes));
  }
}
/// Sweeps both ways at once; each chain of steps hides the latency of the other. See
/// geodesic/kernel_body.h.
template <Steps steps, Neighbours neighbours, Way way>
bool sweep_rows(std::uint16_t* cells, Gates gates) {
  Vector fallen = Vector{};
  Row down;
  Row up;
  read_ends<steps>(cells, down, up);
  for (int i = 1; i < kSide; ++i) {
    lower<steps, neighbours, Above, way>(cells, gates, i, down, fallen);
    lower<steps, neighbours, Below, way>(cells, gates, kSide - 1 - i, up, fallen);
  }
  return any(fallen);
}
template <Way way>
bool sweep_by(std::uint16_t* cells, Gates gates, Steps steps, Neighbours neighbours) {
  if (neighbours == Neighbours::Cross) {
    return steps == Steps::None ? sweep_rows<Steps::None, Neighbours::Cross, way>(cells, gates)
                                : sweep_rows<Steps::One, Neighbours::Cross, way>(cells, gates);
  }
  return steps == Steps::None ? sweep_rows<Steps::None, Neighbours::Square, way>(cells, gates)
                              : sweep_rows<Steps::One, Neighbours::Square, way>(cells, gates);
}
bool sweep(std::uint16_t* cells, Gates gates, Way way, Steps steps, Neighbours neighbours) {
  return way == Way::Upright ? sweep_by<Way::Upright>(cells, gates, steps, neighbours)
                             : sweep_by<Way::Turned>(cells, gates, steps, neighbours);
}

bool take(const std::uint16_t* across, Gates gates, Across from, Steps steps, Neighbours neighbours,
          std::uint16_t* line) {
  const auto step = static_cast<std::uint16_t>(steps == Steps::One ? 1 : 0);
  // 0xFFFF | x = 0xFFFF, so a blocked cell offers nothing.
  const auto blocked_from = [](const Vector& gate, From side) {
    return reinterpret_cast<Vector>(reinterpret_cast<Words>(gate << (15 - side)) >> 15);
  };
  Vector fallen = Vector{};
  for (int v = 0; v < kVectors; ++v) {
    const int at = v * kLanes;
    const Vector gate = widened(gates + at);
    const Vector was = load<Vector>(line + at);
    Vector now =
        lesser(was, (load<Vector>(across + at) + step) | blocked_from(gate, from.straight));
    if (neighbours == Neighbours::Square) {
      now = lesser(now, (load<Vector>(across + at - 1) + step) | blocked_from(gate, from.before));
      now = lesser(now, (load<Vector>(across + at + 1) + step) | blocked_from(gate, from.behind));
    }
    fallen |= now ^ was;
    store(line + at, now);
  }
  return any(fallen);
}

constexpr PlaneKernel kPlaneKernel{sweep, take};

/// Offsets of the neighbours in a padded tile.
constexpr int kAway[]{-kPaddedRow,    kPaddedRow,    -1, 1, -kPaddedRow - 1, -kPaddedRow + 1,
                      kPaddedRow - 1, kPaddedRow + 1};

/// Lanes that hold a cell or hops, whichever is wider, for the cells of one vector, with the types
/// of as many cells, hops and bytes in memory. OwnBytes has as many bytes as a vector has cells.
template <typename Cell>
struct LanesOf {
  using Lane = std::uint16_t;
  using Lanes = Vector;
  using Hops = Vector;
  using Cells = Vector;
  using GateBytes = VectorOf<std::uint8_t>::Half;
  using OwnBytes = GateBytes;
};
template <>
struct LanesOf<std::uint8_t> : LanesOf<std::uint16_t> {
  using Cells = GateBytes;
  using OwnBytes = VectorOf<std::uint8_t>::Type;
};
template <>
struct LanesOf<std::int32_t> {
  using Lane = std::int32_t;
  using Lanes = VectorOf<std::int32_t>::Type;
  using Hops = VectorOf<std::uint16_t>::Half;
  using Cells = Lanes;
  using GateBytes [[gnu::vector_size(kLanes / 2)]] = std::uint8_t;
  using OwnBytes = GateBytes;
};

template <typename Cell>
struct GateLoops {
  using Types = LanesOf<Cell>;
  using Lane = typename Types::Lane;
  using Lanes = typename Types::Lanes;
  using GateBytes = typename Types::GateBytes;
  using OwnBytes = typename Types::OwnBytes;
  static constexpr int kCount = static_cast<int>(sizeof(Lanes) / sizeof(Lane));

  SEEDWAVE_INLINE static Lanes cells_at(const Cell* from) {
    return __builtin_convertvector(load<typename Types::Cells>(from), Lanes);
  }
  SEEDWAVE_INLINE static Lanes hops_at(const std::uint16_t* from) {
    return __builtin_convertvector(load<typename Types::Hops>(from), Lanes);
  }
  template <typename Lanes, typename Masks>
  SEEDWAVE_INLINE static Lanes only(const Masks& where, const Lanes& lanes) {
    return reinterpret_cast<Lanes>(where) & lanes;
  }

  /// Works in lanes of a cell's own width, which also hold one bit per neighbour.
  template <Neighbours neighbours>
  static void find_plateaus(const Cell* cells, const std::uint8_t* takes, std::uint8_t* gates,
                            std::uint8_t* lower) {
    using Own = typename VectorOf<Cell>::Type;
    for (int at = 0; at < kCells; at += seedwave::kLanes<Cell>) {
      const Cell* here = cells + at / kSide * kPaddedRow + at % kSide;
      const auto own = load<Own>(here);
      Own open{};
      Own lowest = own;
      for (int from = 0; from < static_cast<int>(neighbours); ++from) {
        const auto other = load<Own>(here + kAway[from]);
        const auto bit = static_cast<Cell>(1 << from);
        open |= only(other == own, Own{} + bit);
        lowest = greater(lowest, other);
      }
      store(gates + at, ~(__builtin_convertvector(open, OwnBytes) & load<OwnBytes>(takes + at)));
      store(lower + at, __builtin_convertvector(lowest != own, OwnBytes));
    }
  }
  static void plateaus(const Cell* cells, const std::uint8_t* takes, Neighbours neighbours,
                       std::uint8_t* gates, std::uint8_t* lower) {
    neighbours == Neighbours::Cross ? find_plateaus<Neighbours::Cross>(cells, takes, gates, lower)
                                    : find_plateaus<Neighbours::Square>(cells, takes, gates, lower);
  }

  template <Neighbours neighbours>
  static void find_basins(const Cell* cells, const std::uint16_t* hops, const std::uint8_t* takes,
                          std::uint8_t* gates) {
    constexpr int kNeighbours = static_cast<int>(neighbours);
    const Lanes most = Lanes{} + static_cast<Lane>(0xFFFF);
    for (int at = 0; at < kCells; at += kCount) {
      const int padded = at / kSide * kPaddedRow + at % kSide;
      Lanes others[kNeighbours];
      Lanes lowest = others[0] = cells_at(cells + padded + kAway[0]);
      for (int from = 1; from < kNeighbours; ++from) {
        others[from] = cells_at(cells + padded + kAway[from]);
        lowest = greater(lowest, others[from]);
      }
      // The hops of the lowest neighbours; the others get a value above any hops.
      Lanes least = most;
      for (int from = 0; from < kNeighbours; ++from) {
        const Lanes theirs = hops_at(hops + padded + kAway[from]);
        others[from] = others[from] == lowest ? theirs : most;
        least = lesser(least, others[from]);
      }
      Lanes open{};
      for (int from = 0; from < kNeighbours; ++from) {
        const auto bit = static_cast<Lane>(1 << from);
        open |= only(others[from] == least, Lanes{} + bit);
      }
      store(gates + at, ~(__builtin_convertvector(open, GateBytes) & load<GateBytes>(takes + at)));
    }
  }
  static void basins(const Cell* cells, const std::uint16_t* hops, const std::uint8_t* takes,
                     Neighbours neighbours, std::uint8_t* gates) {
    neighbours == Neighbours::Cross ? find_basins<Neighbours::Cross>(cells, hops, takes, gates)
                                    : find_basins<Neighbours::Square>(cells, hops, takes, gates);
  }
  static constexpr GateKernel<Cell> kKernel{plateaus, basins};
};

}  // namespace
}  // namespace seedwave::gated
