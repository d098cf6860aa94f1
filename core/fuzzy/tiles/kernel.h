// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/tile_grid.h"

#include <array>
#include <cstdint>
#include <vector>

/// What is done inside one brick, in plain C++ and with AVX2. All of it works on memory that the
/// calling worker owns; how bricks meet is the business of strength_bricks and label_bricks.
namespace seedwave::fuzzy {

/// Strengths and affinities inside bricks: 0..4096 fits a signed lane, for which every processor
/// has min and max.
using Level = std::int16_t;

constexpr int kSide = BrickGrid::kSide;
constexpr int kPlane = BrickGrid::kPlane;
constexpr int kCells = BrickGrid::kCells;
/// A brick with the cells around it, [z][y][x].
constexpr int kShellSide = kSide + 2;
constexpr int kShellPlane = kShellSide * kShellSide;
constexpr int kShellCells = kShellSide * kShellPlane;
/// Cells before and after a brick's, so that rows may be read shifted by a neighbour's offset.
constexpr int kMargin = 288;

[[nodiscard]] constexpr int shell_index(int x, int y, int z) {
  return (x + 1) + kShellSide * (y + 1) + kShellPlane * (z + 1);
}

/// Greys around a brick, and for each object described exp(...) of the grey, 0 where a cell takes
/// no part: so its edges get affinity 0.
struct Shell {
  std::array<std::uint16_t, kShellCells> grey;
  std::vector<std::array<float, kShellCells>> objects;
};

/// Affinities of a brick's inner edges, and of the six faces where only faces connect.
///
/// Of a cell to its neighbour at each backward step; 0 where that lies in another brick. `x` is
/// turned, [z][x][y], so that a sweep along x is one along rows.
struct InnerEdges {
  struct Direction {
    int offset = 0;  // of the neighbour's cell, negative
    const Level* affinity = nullptr;
  };
  const Level* x = nullptr;
  int in_plane_count = 0;
  std::array<Direction, 3> in_plane;  // dz = 0, dy = -1
  int across_count = 0;
  std::array<Direction, 9> across;  // dz = -1
};

/// Which planes of a brick have something to do, one bit per plane.
struct Pending {
  std::uint32_t rows = 0;  // cells changed since the last sweep along y
  std::uint32_t x = 0;     // cells changed since the last sweep along x, or an offer waits there
  std::uint32_t up = 0;    // changed since plane z + 1 was told
  std::uint32_t down = 0;  // changed since plane z - 1 was told

  /// Cells of plane z were raised from outside the plane.
  void raise(int z) {
    rows |= 1U << z;
    x |= 1U << z;
    up |= 1U << z;
    down |= 1U << z;
  }
};

/// A brick's strengths while a worker has it.
struct StrengthWork {
  /// The brick's cells, [z][y][x]; with diagonals kMargin more before and behind.
  Level* h = nullptr;
  /// h at x = 0 and x = 15, [z][y]: what the neighbours in x read.
  alignas(64) std::array<Level, kPlane> x_low{};
  alignas(64) std::array<Level, kPlane> x_high{};
  /// What the neighbours in x offer to those cells.
  alignas(64) std::array<Level, kPlane> x_low_offer{};
  alignas(64) std::array<Level, kPlane> x_high_offer{};
};

/// In-edges of a brick for pass 2: for each step of the connectivity and each plane 16 rows of 16
/// bits; a bit says that the neighbour at that step is an optimal predecessor of the cell.
using BitPlane = std::array<std::uint16_t, kSide>;

/// Where each step's in-edges lie: edges[index * depth + z].
struct FloodSteps {
  int low_x = -1;   // index of the step (-1, 0, 0)
  int high_x = -1;  // (1, 0, 0)
  struct Other {
    int index = 0;
    int dx = 0;
    int dy = 0;
    int dz = 0;
  };
  std::vector<Other> in_plane;  // dz = 0, dy != 0
  std::vector<Other> below;     // dz = -1
  std::vector<Other> above;     // dz = +1
};

/// The sides of a brick.
enum Face { XLow, XHigh, YLow, YHigh, ZLow, ZHigh };

/// Of a neighbour's sides the one that touches our `side`.
[[nodiscard]] constexpr Face opposite(Face side) {
  return static_cast<Face>(side ^ 1);
}

/// Affinities of a brick whose cells connect by faces: of a cell to its neighbour at -1 along each
/// axis, and the `upper` ones that lead out of the brick at its far sides. x and x_upper are
/// turned, [z][x][y] and [z][y]; the others [z][y][x], [z][x] (y_upper), [y][x] (z_upper).
/// In a plane there are none along z.
struct FaceAffinities {
  Level* x = nullptr;
  Level* y = nullptr;
  Level* z = nullptr;
  Level* x_upper = nullptr;
  Level* y_upper = nullptr;
  Level* z_upper = nullptr;
};

/// Strengths at rest: of a brick, and of the cells that touch its sides, as read_face() gives them.
struct SettledBrick {
  const Level* h = nullptr;
  alignas(64) std::array<std::array<Level, kPlane>, 6> faces{};
};

/// Bits of the cells that touch each side of a brick, a plane per side: x sides [z] of y, y sides
/// [z] of x, z sides [y] of x.
inline constexpr int kSides = 6;
using BitSides = std::array<BitPlane, kSides>;

/// The functions of one instruction set.
struct TileKernel {
  const char* name;

  /// Affinities of `count` cells along x from shell index `from` to those `offset` further on.
  void (*affinity_row)(const Shell& shell, const float* homogeneity, int from, int offset,
                       int count, Level* result);

  /// result = table[grey].
  void (*look_up)(const std::uint16_t* grey, int count, const float* table, float* result);

  /// All affinities of a brick whose cells connect by faces; none along z: 0.
  void (*face_affinities)(const Shell& shell, const float* homogeneity, int depth, bool along_z,
                          const FaceAffinities& result);

  /// Raises a plane's 16 rows (stride in cells) by offers min(face, affinity), 16 per row.
  /// Returns bit i: row i rose.
  std::uint32_t (*apply_face)(Level* rows, int stride, int count, const Level* face,
                              const Level* affinity, int affinity_stride);
  /// offers = min(face, affinity); returns bit i: one in row i lies above `current`.
  std::uint32_t (*make_offers)(const Level* face, const Level* affinity, int affinity_stride,
                               const Level* current, int count, Level* offers);
  /// The largest min(rows, affinity) that lies above the face beyond; 0: none does.
  int (*gain_of_face)(const Level* rows, int stride, int count, const Level* affinity,
                      int affinity_stride, const Level* face);

  /// Sweeps until nothing in the brick can rise. Returns the planes in which something did.
  std::uint32_t (*settle)(StrengthWork& work, const InnerEdges& edges, int depth, Pending pending);

  /// bits[i]: in row i the cells c with 0 < h(c) <= affinity(c, e) and h(c) <= h(e).
  void (*optimal_edges)(const Level* h, const Level* neighbour, const Level* affinity, int rows,
                        std::uint16_t* bits);

  /// The same for a whole brick whose cells connect by faces, from its stored affinities.
  void (*face_edges)(const SettledBrick& brick, const FaceAffinities& affinities,
                     const FloodSteps& steps, int depth, BitPlane* edges);

  /// The bits that touch one side.
  BitPlane (*side_of)(const BitPlane* planes, int depth, Face side);
  /// Adds what the neighbours' sides offer along the sides' in-edges; `sides`: those of `reached`.
  /// Returns the planes that gained.
  std::uint32_t (*take_sides)(BitPlane* reached, int depth, const BitSides& offered,
                              const BitSides& edges, const BitSides& sides);
  /// Brings `sides` up to date and tells what they gained. Returns bit i: side i did.
  std::uint32_t (*renew_sides)(const BitPlane* reached, int depth, BitSides& sides,
                               BitSides& gained);
  /// Whether a side that has `reached` can take more of what is offered along its in-edges.
  bool (*can_take)(const BitPlane& offered, const BitPlane& edges, const BitPlane& reached);

  /// Floods the two planes of a digit inside a brick along its in-edges, from the pending planes,
  /// until nothing changes.
  void (*flood)(BitPlane* first, BitPlane* second, const BitPlane* edges, const FloodSteps& steps,
                int depth, std::uint32_t pending);

  /// The labels of 16 cells: bits[p] are the cells that plane p of the code reaches.
  void (*label_row)(const std::uint16_t* bits, int planes, const std::uint16_t* label_of_code,
                    std::uint16_t* labels);
};

[[nodiscard]] const TileKernel& plain_kernel();
/// Null where this program was not built for a processor that may have AVX2.
[[nodiscard]] const TileKernel* avx2_kernel();
/// The fastest that this processor can run.
[[nodiscard]] const TileKernel& best_kernel();

}  // namespace seedwave::fuzzy
