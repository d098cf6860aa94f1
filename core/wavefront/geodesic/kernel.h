// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What is done inside one plane of a tile whose cells rise under limits, in plain C++ and with
/// AVX2: sweeps by which a value crosses the whole plane. How planes and tiles meet is the business
/// of geodesic_tiles.
namespace seedwave::geodesic {

/// How many of a neighbouring row's or plane's cells a cell takes from.
enum class Reach {
  Straight,  // the one across
  Cross,     // in another plane, that one and those beside it along x and y
  Square     // and those at the corners: of a row three, of a plane nine
};

/// The functions for one cell type and side. A plane is side x side cells, [y][x].
template <typename Cell>
struct PlaneKernel {
  /// turned[x][y] = plane[y][x].
  void (*turn)(const Cell* plane, Cell* turned);
  /// Raises the first and the last row by what is offered to them, and the rows by each other,
  /// there and back: with Straight until columns are stable. True: something rose.
  bool (*sweep)(Cell* plane, const Cell* limits, Reach reach, const Cell* first_offer,
                const Cell* last_offer);
  /// Raises a plane by the one beside it. True: something rose.
  bool (*sweep_across)(const Cell* from, Cell* plane, const Cell* limits, Reach reach);
};

/// The fastest that this processor can run. Cell: u8, u16 or i32; side: 64 or 32.
template <typename Cell, int side>
[[nodiscard]] const PlaneKernel<Cell>& best_kernel();
template <typename Cell, int side>
[[nodiscard]] const PlaneKernel<Cell>& plain_kernel();
/// Null where this program was not built for a processor that may have AVX2.
template <typename Cell, int side>
[[nodiscard]] const PlaneKernel<Cell>* avx2_kernel();

}  // namespace seedwave::geodesic
