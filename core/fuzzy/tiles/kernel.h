// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/wavefront/tile_grid.h"

#include <array>
#include <cstdint>
#include <vector>

/// Operations inside one brick, in plain C++ and with AVX2. All memory belongs to the calling
/// worker. strength_bricks and label_bricks connect the bricks.
namespace seedwave::fuzzy {

/// Type of strengths and affinities inside bricks. 0..4096 fits a signed lane, for which every
/// processor has min and max.
using Level = std::int16_t;

constexpr int kSide = BrickGrid::kSide;
constexpr int kPlane = BrickGrid::kPlane;
constexpr int kCells = BrickGrid::kCells;
/// A brick with the cells around it, [z][y][x].
constexpr int kShellSide = kSide + 2;
constexpr int kShellPlane = kShellSide * kShellSide;
constexpr int kShellCells = kShellSide * kShellPlane;
/// Number of extra cells before and after a brick's cells, so rows can be read at a neighbour's
/// offset.
constexpr int kMargin = 288;

[[nodiscard]] constexpr int shell_index(int x, int y, int z) {
  return (x + 1) + kShellSide * (y + 1) + kShellPlane * (z + 1);
}

/// Intensities around a brick and, for each described object, exp(...) of the intensity. The latter
/// is 0 outside the mask, so the edges there get affinity 0.
struct Shell {
  std::array<std::uint16_t, kShellCells> grey;
  std::vector<std::array<float, kShellCells>> objects;
};

/// Affinities of a brick's inner edges, and of the six faces if only faces connect.
///
/// Holds the affinity of a cell to its neighbour at each backward step, or 0 if the neighbour lies
/// in another brick. `x` is transposed, [z][x][y], so a sweep along x runs along rows.
struct InnerEdges {
  struct Direction {
    int offset = 0;  // offset of the neighbour's cell, negative
    const Level* affinity = nullptr;
  };
  const Level* x = nullptr;
  int in_plane_count = 0;
  std::array<Direction, 3> in_plane;  // dz = 0, dy = -1
  int across_count = 0;
  std::array<Direction, 9> across;  // dz = -1
};

/// Pending planes of a brick, one bit per plane.
struct Pending {
  std::uint32_t rows = 0;  // cells changed since the last sweep along y
  std::uint32_t x = 0;     // cells changed since the last sweep along x, or an offer waits there
  std::uint32_t up = 0;    // changed since plane z + 1 was updated
  std::uint32_t down = 0;  // changed since plane z - 1 was updated

  /// Records that cells of plane z were raised from outside the plane.
  void raise(int z) {
    rows |= 1U << z;
    x |= 1U << z;
    up |= 1U << z;
    down |= 1U << z;
  }
};

/// The strengths of a brick during a visit.
struct StrengthWork {
  /// The brick's cells, [z][y][x]. With diagonals there are kMargin more before and behind.
  Level* h = nullptr;
  /// h at x = 0 and x = 15, [z][y], which the neighbours in x read.
  alignas(64) std::array<Level, kPlane> x_low{};
  alignas(64) std::array<Level, kPlane> x_high{};
  /// Offers of the neighbours in x to those cells.
  alignas(64) std::array<Level, kPlane> x_low_offer{};
  alignas(64) std::array<Level, kPlane> x_high_offer{};
};

/// One plane of a brick's in-edges for pass 2: 16 rows of 16 bits, for each step and plane. A set
/// bit means that the neighbour at that step is an optimal predecessor of the cell.
using BitPlane = std::array<std::uint16_t, kSide>;

/// Indices of the in-edges of each step, which lie at edges[index * depth + z].
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

/// Returns the side of the neighbour that touches our `side`.
[[nodiscard]] constexpr Face opposite(Face side) {
  return static_cast<Face>(side ^ 1);
}

/// Affinities of a brick whose cells connect by faces: of a cell to its neighbour at -1 along each
/// axis. The `upper` ones lead out of the brick at its far sides. x and x_upper are transposed,
/// [z][x][y] and [z][y]. The others are [z][y][x], [z][x] (y_upper) and [y][x] (z_upper). In 2-D
/// there are none along z.
struct FaceAffinities {
  Level* x = nullptr;
  Level* y = nullptr;
  Level* z = nullptr;
  Level* x_upper = nullptr;
  Level* y_upper = nullptr;
  Level* z_upper = nullptr;
};

/// Strengths at the fixpoint, of a brick and of the cells that touch its sides (see read_face()).
struct SettledBrick {
  const Level* h = nullptr;
  alignas(64) std::array<std::array<Level, kPlane>, 6> faces{};
};

/// Bits of the cells that touch each side of a brick, one plane per side: x sides [z] of y, y sides
/// [z] of x, z sides [y] of x.
inline constexpr int kSides = 6;
using BitSides = std::array<BitPlane, kSides>;

/// Table of the functions for one instruction set.
struct TileKernel {
  const char* name;

  /// Computes the affinities of `count` cells along x, from shell index `from`, to the cells
  /// `offset` further on.
  void (*affinity_row)(const Shell& shell, const float* homogeneity, int from, int offset,
                       int count, Level* result);

  /// Sets result = table[grey].
  void (*look_up)(const std::uint16_t* grey, int count, const float* table, float* result);

  /// Computes all affinities of a brick whose cells connect by faces. Those along z are 0 if
  /// `along_z` is false.
  void (*face_affinities)(const Shell& shell, const float* homogeneity, int depth, bool along_z,
                          const FaceAffinities& result);

  /// Raises a plane's 16 rows (stride in cells) by offers min(face, affinity), 16 per row. Returns
  /// bit i if row i rose.
  std::uint32_t (*apply_face)(Level* rows, int stride, int count, const Level* face,
                              const Level* affinity, int affinity_stride);
  /// Sets offers = min(face, affinity). Returns bit i if an offer in row i exceeds `current`.
  std::uint32_t (*make_offers)(const Level* face, const Level* affinity, int affinity_stride,
                               const Level* current, int count, Level* offers);
  /// Returns the largest min(rows, affinity) that exceeds the face beyond, or 0.
  int (*gain_of_face)(const Level* rows, int stride, int count, const Level* affinity,
                      int affinity_stride, const Level* face);

  /// Sweeps until nothing in the brick can rise. Returns the planes that rose.
  std::uint32_t (*settle)(StrengthWork& work, const InnerEdges& edges, int depth, Pending pending);

  /// Sets bits[i] to the cells c of row i with 0 < h(c) <= affinity(c, e) and h(c) <= h(e).
  void (*optimal_edges)(const Level* h, const Level* neighbour, const Level* affinity, int rows,
                        std::uint16_t* bits);

  /// Computes the same for a whole brick whose cells connect by faces, from its stored affinities.
  void (*face_edges)(const SettledBrick& brick, const FaceAffinities& affinities,
                     const FloodSteps& steps, int depth, BitPlane* edges);

  /// Returns the bits that touch one side.
  BitPlane (*side_of)(const BitPlane* planes, int depth, Face side);
  /// Adds the neighbours' offers along the sides' in-edges. `sides` are the sides of `reached`.
  /// Returns the planes that gained.
  std::uint32_t (*take_sides)(BitPlane* reached, int depth, const BitSides& offered,
                              const BitSides& edges, const BitSides& sides);
  /// Updates `sides` and sets `gained` to their new bits. Returns bit i if side i gained.
  std::uint32_t (*renew_sides)(const BitPlane* reached, int depth, BitSides& sides,
                               BitSides& gained);
  /// Returns whether a side with the bits `reached` can gain from `offered` along its in-edges.
  bool (*can_take)(const BitPlane& offered, const BitPlane& edges, const BitPlane& reached);

  /// Floods the two planes of a digit inside a brick along its in-edges, from the pending planes,
  /// until nothing changes.
  void (*flood)(BitPlane* first, BitPlane* second, const BitPlane* edges, const FloodSteps& steps,
                int depth, std::uint32_t pending);

  /// Returns the labels of 16 cells. bits[p] are the cells that plane p of the code reaches.
  void (*label_row)(const std::uint16_t* bits, int planes, const std::uint16_t* label_of_code,
                    std::uint16_t* labels);
};

[[nodiscard]] const TileKernel& plain_kernel();
/// Returns null if the program was not built for processors with AVX2.
[[nodiscard]] const TileKernel* avx2_kernel();
/// Returns the fastest kernel that this processor can run.
[[nodiscard]] const TileKernel& best_kernel();

}  // namespace seedwave::fuzzy
