// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

/// Wavefronts whose edges are open or blocked: a cell takes the least of what comes through its
/// open edges. Here is what is done inside one tile of 64 x 64 cells of a plane, in plain C++ and
/// with AVX2; what a gate is, and how tiles meet, is the business of others.
namespace seedwave::gated {

/// Of a tile, both ways.
inline constexpr int kSide = 64;
inline constexpr int kCells = kSide * kSide;

/// Where a neighbour lies from which a cell takes.
enum From { Above, Below, Left, Right, AboveLeft, AboveRight, BelowLeft, BelowRight };

/// A byte for each cell, [from][y][x]: 0 where it takes from that neighbour, 0xFF where it does
/// not.
using Gates = const std::uint8_t*;

enum class Steps { None, One };
/// The neighbours that a sweep looks at, and so which gates there must be: the first 2, 4 or 8.
enum class Neighbours {
  Across = 2,  // in the rows above and below
  Cross = 4,   // and those beside a cell in its row
  Square = 8   // and diagonally
};

struct PlaneKernel {
  /// Lowers the rows of a plane by each other, there and back, and each cell by the two beside it
  /// when its row's turn comes. Steps::One is added on the way; then no state may be above 0xFFFE.
  /// True: something fell. Where nothing did, columns are stable.
  bool (*sweep)(std::uint16_t* cells, Gates gates, Steps steps, Neighbours neighbours);
};

/// Gates by comparing cells with those that lie `shift` cells away; read `altitudes` and `hops`
/// from shift on: kSide + 1 cells before and after the tile's must be there, whatever they hold.
/// takes: 1 or 0 a cell. Cell: u8, u16 or i32.
template <typename Cell>
struct GateKernel {
  /// Open between equal altitudes.
  void (*plateaus)(const Cell* altitudes, const std::uint8_t* takes, int shift,
                   std::uint8_t* gates);
  /// Open towards what is lower where hops are 0, and towards equal altitude with one hop less.
  void (*basins)(const Cell* altitudes, const std::uint16_t* hops, const std::uint8_t* takes,
                 int shift, std::uint8_t* gates);
};

/// The fastest that this processor can run.
[[nodiscard]] const PlaneKernel& best_plane_kernel();
[[nodiscard]] const PlaneKernel& plain_plane_kernel();
/// Null where this program was not built for a processor that may have AVX2.
[[nodiscard]] const PlaneKernel* avx2_plane_kernel();

template <typename Cell>
[[nodiscard]] const GateKernel<Cell>& best_gate_kernel();
template <typename Cell>
[[nodiscard]] const GateKernel<Cell>& plain_gate_kernel();
template <typename Cell>
[[nodiscard]] const GateKernel<Cell>* avx2_gate_kernel();

}  // namespace seedwave::gated
