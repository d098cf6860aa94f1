// SPDX-License-Identifier: Apache-2.0
// Included once by each kernel_*.cpp, inside its instruction set; so everything here has internal
// linkage, and no code for one processor can be taken for another's.
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

/// A row in registers. Passed by reference only: copies would go through memory.
using Row = Vector[kVectors];

/// All ones where blocked.
SEEDWAVE_INLINE Vector gate(Gates from) {
  const auto bytes = load<Bytes>(from);
#if defined(SEEDWAVE_FOR_AVX2) && !defined(__clang__)
  // Of the line below gcc 12 makes four instructions.
  using Chars [[gnu::vector_size(kLanes)]] = char;
  return reinterpret_cast<Vector>(__builtin_ia32_pmovsxbw256(reinterpret_cast<Chars>(bytes)));
#else
  return reinterpret_cast<Vector>(__builtin_convertvector(bytes, Words));
#endif
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

template <Steps steps>
SEEDWAVE_INLINE Vector stepped(const Vector& lanes) {
  return steps == Steps::None ? lanes : lanes + 1;
}

/// Lowers row y by `offer`, the row before it one step on, and its cells by those beside them; adds
/// what fell to `fallen`. Then `offer` is row y one step on. across: Above or Below.
template <Steps steps, Neighbours neighbours, From across>
SEEDWAVE_INLINE void lower(std::uint16_t* cells, Gates gates, int y, Row& offer, Vector& fallen) {
  constexpr From kToLeft = across == Above ? AboveLeft : BelowLeft;
  constexpr From kToRight = across == Above ? AboveRight : BelowRight;
  const Vector nothing = ~Vector{};
  cells += y * kSide;
  gates += y * kSide;
  Row now;
  Vector before = nothing;
  for (int v = 0; v < kVectors; ++v) {
    const int at = v * kLanes;
    const Vector own = offer[v];
    now[v] = lesser(load<Vector>(cells + at), own | gate(gates + across * kCells + at));
    if constexpr (neighbours == Neighbours::Square) {
      const Vector behind = v + 1 == kVectors ? nothing : offer[v + 1];
      now[v] = lesser(now[v], lanes_up(before, own) | gate(gates + kToLeft * kCells + at));
      now[v] = lesser(now[v], lanes_down(own, behind) | gate(gates + kToRight * kCells + at));
      before = own;
    }
  }
  if constexpr (neighbours == Neighbours::Across) {
    for (int v = 0; v < kVectors; ++v) {
      fallen |= now[v] ^ load<Vector>(cells + v * kLanes);
      store(cells + v * kLanes, now[v]);
      offer[v] = stepped<steps>(now[v]);
    }
    return;
  }
  for (int v = 0; v < kVectors; ++v)
    offer[v] = stepped<steps>(now[v]);
  before = nothing;
  for (int v = 0; v < kVectors; ++v) {
    const int at = v * kLanes;
    const Vector own = offer[v];
    const Vector behind = v + 1 == kVectors ? nothing : offer[v + 1];
    const Vector left = lanes_up(before, own) | gate(gates + Left * kCells + at);
    const Vector right = lanes_down(own, behind) | gate(gates + Right * kCells + at);
    const Vector lowest = lesser(now[v], lesser(left, right));
    before = own;
    fallen |= lowest ^ load<Vector>(cells + at);
    store(cells + at, lowest);
    offer[v] = stepped<steps>(lowest);
  }
}

/// Both ways at once, each chain of steps hiding the other's waiting: see geodesic/kernel_body.h.
template <Steps steps, Neighbours neighbours>
bool sweep_rows(std::uint16_t* cells, Gates gates) {
  Vector fallen = Vector{};
  Row down;
  Row up;
  for (int v = 0; v < kVectors; ++v) {
    down[v] = stepped<steps>(load<Vector>(cells + v * kLanes));
    up[v] = stepped<steps>(load<Vector>(cells + (kSide - 1) * kSide + v * kLanes));
  }
  for (int i = 1; i < kSide; ++i) {
    lower<steps, neighbours, Above>(cells, gates, i, down, fallen);
    lower<steps, neighbours, Below>(cells, gates, kSide - 1 - i, up, fallen);
  }
  return any(fallen);
}
template <Steps steps>
bool sweep_by(std::uint16_t* cells, Gates gates, Neighbours neighbours) {
  switch (neighbours) {
    case Neighbours::Across:
      return sweep_rows<steps, Neighbours::Across>(cells, gates);
    case Neighbours::Cross:
      return sweep_rows<steps, Neighbours::Cross>(cells, gates);
    case Neighbours::Square:
      break;
  }
  return sweep_rows<steps, Neighbours::Square>(cells, gates);
}
bool sweep(std::uint16_t* cells, Gates gates, Steps steps, Neighbours neighbours) {
  return steps == Steps::None ? sweep_by<Steps::None>(cells, gates, neighbours)
                              : sweep_by<Steps::One>(cells, gates, neighbours);
}

constexpr PlaneKernel kPlaneKernel{sweep};

template <typename Cell>
struct GateLoops {
  static void plateaus(const Cell* __restrict altitudes, const std::uint8_t* __restrict takes,
                       int shift, std::uint8_t* __restrict gates) {
    const Cell* others = altitudes + shift;
    for (int i = 0; i < kCells; ++i) {
      const int open = static_cast<int>(altitudes[i] == others[i]) & takes[i];
      gates[i] = static_cast<std::uint8_t>(open - 1);
    }
  }
  static void basins(const Cell* __restrict altitudes, const std::uint16_t* __restrict hops,
                     const std::uint8_t* __restrict takes, int shift,
                     std::uint8_t* __restrict gates) {
    const Cell* others = altitudes + shift;
    const std::uint16_t* other_hops = hops + shift;
    for (int i = 0; i < kCells; ++i) {
      const int rises = static_cast<int>(others[i] < altitudes[i]) & static_cast<int>(hops[i] == 0);
      const int follows =
          static_cast<int>(others[i] == altitudes[i]) &
          static_cast<int>(static_cast<std::uint16_t>(other_hops[i] + 1) == hops[i]);
      const int open = (rises | follows) & takes[i];
      gates[i] = static_cast<std::uint8_t>(open - 1);
    }
  }
  static constexpr GateKernel<Cell> kKernel{plateaus, basins};
};

}  // namespace
}  // namespace seedwave::gated
