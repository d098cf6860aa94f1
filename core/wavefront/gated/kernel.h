// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Wavefronts whose edges are open or blocked: a cell takes the minimum of the values that arrive
/// through its open edges. This is the work inside one tile of 64 x 64 cells of a plane, in plain
/// C++ and with AVX2. gated_tiles connects the tiles.
namespace seedwave::gated {

/// Side of a tile, along both axes.
inline constexpr int kSide = 64;
inline constexpr int kCells = kSide * kSide;

/// Position of a neighbour from which a cell takes.
enum From { Above, Below, Left, Right, AboveLeft, AboveRight, BelowLeft, BelowRight };

/// One byte per cell, [y][x]. Bit i is set if the cell does not take from the neighbour From(i).
/// The gates of a transposed plane are the same bytes, transposed.
using Gates = const std::uint8_t*;
inline constexpr std::uint8_t kAllBlocked = 0xFF;

enum class Steps { None, One };
/// The neighbours that a sweep uses: the first 4 or 8.
enum class Neighbours {
  Cross = 4,  // in the rows above and below, and to both sides in a cell's own row
  Square = 8  // and diagonally
};

/// The directions from which the cells along one side of a tile take across it.
struct Across {
  From straight;
  // Diagonal neighbours: before and behind the cell along the line.
  From before;
  From behind;
};

/// Orientation of a plane and its gates.
enum class Way { Upright, Turned };

struct PlaneKernel {
  /// Lowers the rows of a plane by each other, forwards and backwards, and each cell by its two
  /// neighbours within its row. With Steps::One each step adds one, and no state may exceed 0xFFFE.
  /// Returns whether something fell. If not, the plane is stable.
  bool (*sweep)(std::uint16_t* cells, Gates gates, Way way, Steps steps, Neighbours neighbours);
  /// Lowers a line of cells by the cells across[-1] to across[kSide]. `gates` are those of the
  /// line. Returns whether something fell.
  bool (*take)(const std::uint16_t* across, Gates gates, Across from, Steps steps,
               Neighbours neighbours, std::uint16_t* line);
};

/// Padding of a tile's cells with the cells around it. Rows are kPaddedRow apart, and the first
/// cell lies at kPaddedFirst. The padding beside a row exceeds one cell only to keep rows aligned.
inline constexpr int kPadding = 16;
inline constexpr int kPaddedRow = kSide + 2 * kPadding;
inline constexpr int kPaddedFirst = kPaddedRow + kPadding;
inline constexpr int kPaddedCells = kPaddedRow * (kSide + 2);

/// Computes gates by comparing cells with those around them. `cells` and `hops` point to a padded
/// tile's first cell. `takes` is 0xFF if a cell takes offers, else 0. Cell is u8, u16 or i32. Cells
/// are altitudes, inverted as in GeodesicTiles: a larger value lies lower.
template <typename Cell>
struct GateKernel {
  /// Opens the gates between equal altitudes. Sets `lower` to 0xFF if a neighbour lies lower, else
  /// 0.
  void (*plateaus)(const Cell* cells, const std::uint8_t* takes, Neighbours neighbours,
                   std::uint8_t* gates, std::uint8_t* lower);
  /// Opens the gates towards the neighbours with the smallest (altitude, hops), compared in that
  /// order. A cell with none below its own must have `takes` 0 or be unreached.
  void (*basins)(const Cell* cells, const std::uint16_t* hops, const std::uint8_t* takes,
                 Neighbours neighbours, std::uint8_t* gates);
};

/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const PlaneKernel& best_plane_kernel();
[[nodiscard]] const PlaneKernel& plain_plane_kernel();
/// Returns null if the program was not built for processors with AVX2.
[[nodiscard]] const PlaneKernel* avx2_plane_kernel();

template <typename Cell>
[[nodiscard]] const GateKernel<Cell>& best_gate_kernel();
template <typename Cell>
[[nodiscard]] const GateKernel<Cell>& plain_gate_kernel();
template <typename Cell>
[[nodiscard]] const GateKernel<Cell>* avx2_gate_kernel();

}  // namespace seedwave::gated
