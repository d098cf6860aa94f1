// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/texture/lag_table.h"

#include <cstdint>
#include <vector>

/// The lags that `box` counts on a device and their weights: a table of lags as plain arrays.
namespace seedwave::gpu::texture {

/// Number of adjacent pairs of windows that a block of threads processes; a thread counts for both
/// windows of a pair.
inline constexpr int kPairs = 64;
inline constexpr int kWindows = 2 * kPairs;
/// Radii of a block: three warps' matrices of eight, for each of four phases.
inline constexpr int kRadii = 24;
/// Maximum number of quads that are counted before they are weighed. A quad is four groups of lags.
inline constexpr int kQuads = 24;

/// Layout of a row of cells in memory: `half` words for the cells at even places, then `half` words
/// for those at odd places. Cells of adjacent pairs of windows are therefore adjacent.
struct CellRow {
  int half;
  [[nodiscard]] SEEDWAVE_HD int pitch() const { return 2 * half; }
  [[nodiscard]] SEEDWAVE_HD int place(int x) const { return (x & 1) * half + (x >> 1); }
};

/// The lags (a, b) and (-a, b), a, b >= 0, as byte offsets from a window's corners.
///
/// The pairs change from a window to its neighbour on the right, and this change differs one row
/// below. The difference is a sum of terms at the four corners c. Let M be a phase's mask, and let
/// a and b point into the window. The upper left and lower right corners add M[c] M[c + (a,
/// b)] + M[c + (a, 0)] M[c + (0, b)] each; the two others subtract it. Lags on an axis are counted
/// twice.
struct CornerLags {
  int x;      // a to the right of a window's first column
  int far_x;  // a to the left of the column after its last one
  int y;      // the same for rows
  int far_y;
};

/// Marks a missing lag. As an offset, its magnitude is one word.
inline constexpr CornerLags kNoLags{-4, 0, 0, 0};

/// Two lags, (a, b) and (b, a), with the same weights, or one lag and kNoLags. Groups of two come
/// first.
struct LagGroup {
  CornerLags first;
  CornerLags second;
};

/// Groups that are counted before they are weighed, four per quad, with their weights.
struct Piece {
  int first_group;
  int quads;
};
/// The pieces of kRadii radii.
struct RadiusRange {
  int first;
  int end;
};

/// Weights are split into `limbs` signed bytes, the lowest first.
struct BoxPlan {
  int limbs = 4;
  std::vector<RadiusRange> ranges{};
  std::vector<Piece> pieces{};
  std::vector<LagGroup> groups{};
  /// [piece][limb][quad][radius], with the weights of four groups per word.
  std::vector<std::uint32_t> weights{};
  /// [piece][limb][radius]: compensates for the 128 that is added to each count.
  std::vector<std::int32_t> bias{};
};

/// Sums of features have units of 2^-41 here, twice as fine as the table's. Lags that are counted
/// twice then have integer weights.
inline constexpr int kWeightScale = 2;

[[nodiscard]] BoxPlan box_plan(const LagTable& table, const CellRow& row);

/// A lag and its weight, radius by radius, for windows that are computed directly.
struct WeighedLag {
  std::int32_t dx;
  std::int32_t dy;
  std::int64_t weight;
};
struct LagsByRadius {
  std::vector<std::int32_t> first{};  // of radii 0, 1 .. and past the last
  std::vector<WeighedLag> lags{};
};
[[nodiscard]] LagsByRadius lags_by_radius(const LagTable& table);

}  // namespace seedwave::gpu::texture
