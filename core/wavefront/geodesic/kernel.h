// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Operations inside one plane of a tile whose cells rise up to their limits, in plain C++ and with
/// AVX2. A sweep carries a value across the whole plane. geodesic_tiles connects planes and tiles.
namespace seedwave::geodesic {

/// The cells of a neighbouring row or plane from which a cell takes.
enum class Reach {
  Straight,  // the one straight across
  Cross,     // in another plane, also those beside it along x and y
  Square     // also those at the corners: three of a row, nine of a plane
};

/// The functions for one cell type and side. A plane is side x side cells, [y][x].
template <typename Cell>
struct PlaneKernel {
  /// Sets turned[x][y] = plane[y][x].
  void (*turn)(const Cell* plane, Cell* turned);
  /// Raises the first and the last row by their offers, and the rows by each other, forwards and
  /// backwards. With Straight the columns are then stable. Returns whether something rose.
  bool (*sweep)(Cell* plane, const Cell* limits, Reach reach, const Cell* first_offer,
                const Cell* last_offer);
  /// Raises a plane by an adjacent one. Returns whether something rose.
  bool (*sweep_across)(const Cell* from, Cell* plane, const Cell* limits, Reach reach);
};

/// Returns the fastest kernel that this processor can run. Cell is u8, u16 or i32; side is 64 or
/// 32.
template <typename Cell, int side>
[[nodiscard]] const PlaneKernel<Cell>& best_kernel();
template <typename Cell, int side>
[[nodiscard]] const PlaneKernel<Cell>& plain_kernel();
/// Returns null if the program was not built for processors with AVX2.
template <typename Cell, int side>
[[nodiscard]] const PlaneKernel<Cell>* avx2_kernel();

}  // namespace seedwave::geodesic
