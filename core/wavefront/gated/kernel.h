// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Wavefronts whose edges are open or blocked: a cell takes the least of what comes through its
/// open edges. Here is what is done inside one tile of 64 x 64 cells of a plane, in plain C++ and
/// with AVX2; how tiles meet is the business of gated_tiles.
namespace seedwave::gated {

/// Of a tile, both ways.
inline constexpr int kSide = 64;
inline constexpr int kCells = kSide * kSide;

/// Where a neighbour lies from which a cell takes.
enum From { Above, Below, Left, Right, AboveLeft, AboveRight, BelowLeft, BelowRight };

/// A byte for each cell, [y][x]: bit i is set where it does not take from the neighbour From(i). So
/// the gates of a plane and of the same plane turned are the same bytes, turned.
using Gates = const std::uint8_t*;
inline constexpr std::uint8_t kAllBlocked = 0xFF;

enum class Steps { None, One };
/// The neighbours that a sweep looks at: the first 4 or 8.
enum class Neighbours {
  Cross = 4,  // in the rows above and below, and those beside a cell in its row
  Square = 8  // and diagonally
};

/// From where the cells along one side of a tile take what lies across it.
struct Across {
  From straight;
  // Diagonally, from what lies before it and behind it along the line.
  From before;
  From behind;
};

/// How a plane lies, and its gates with it.
enum class Way { Upright, Turned };

struct PlaneKernel {
  /// Lowers the rows of a plane by each other, there and back, and each cell by the two beside it
  /// when its row's turn comes. Steps::One is added on the way; then no state may be above 0xFFFE.
  /// True: something fell. Where nothing did, nothing can.
  bool (*sweep)(std::uint16_t* cells, Gates gates, Way way, Steps steps, Neighbours neighbours);
  /// Lowers a line of cells by those across: across[-1] to across[kSide]. gates: the line's own.
  /// True: something fell.
  bool (*take)(const std::uint16_t* across, Gates gates, Across from, Steps steps,
               Neighbours neighbours, std::uint16_t* line);
};

/// A tile's cells with what lies around it: rows are kPaddedRow apart, and the first cell lies at
/// kPaddedFirst. How much there is beside a row only keeps rows aligned.
inline constexpr int kPadding = 16;
inline constexpr int kPaddedRow = kSide + 2 * kPadding;
inline constexpr int kPaddedFirst = kPaddedRow + kPadding;
inline constexpr int kPaddedCells = kPaddedRow * (kSide + 2);

/// Makes gates by comparing cells with those around them. `cells`, `hops`: a padded tile's first
/// cell. takes: 0xFF a cell that takes at all, else 0. Cell: u8, u16 or i32; altitudes, upside down
/// as GeodesicTiles has them: what is more lies lower.
template <typename Cell>
struct GateKernel {
  /// Open between equal altitudes. lower: 0xFF where a neighbour lies lower, else 0.
  void (*plateaus)(const Cell* cells, const std::uint8_t* takes, Neighbours neighbours,
                   std::uint8_t* gates, std::uint8_t* lower);
  /// Open towards the neighbours with the least (altitude, hops), compared in that order. A cell
  /// that has none below its own must take nothing, or be one that no water reaches.
  void (*basins)(const Cell* cells, const std::uint16_t* hops, const std::uint8_t* takes,
                 Neighbours neighbours, std::uint8_t* gates);
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
