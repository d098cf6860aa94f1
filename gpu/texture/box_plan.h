// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/host_device.h"
#include "core/texture/lag_table.h"

#include <cstdint>
#include <vector>

/// What `box` counts on a device, and what it counts for: from a table of lags, as plain arrays.
namespace seedwave::gpu::texture {

/// Windows side by side that a block of threads works on; a thread counts for two of them.
inline constexpr int kPairs = 64;
inline constexpr int kWindows = 2 * kPairs;
/// Radii of a block: three warps' matrices of eight, for each of four phases.
inline constexpr int kRadii = 24;
/// Groups of lags are counted four at a time, and at most so many quads before they are weighed.
inline constexpr int kQuads = 24;

/// How a row of cells lies in memory: those at even places, and `half` words on those at odd ones.
/// So cells for neighbouring pairs of windows are neighbours.
struct CellRow {
  int half;
  [[nodiscard]] SEEDWAVE_HD int pitch() const { return 2 * half; }
  [[nodiscard]] SEEDWAVE_HD int place(int x) const { return (x & 1) * half + (x >> 1); }
};

/// The lags (a, b) and (-a, b), a, b >= 0, as they lie from a window's corners: bytes.
///
/// From a window to its neighbour on the right, and from there to the same one row below, their
/// pairs change by products of cells about the four corners c: where M is a phase's mask and a and
/// b point into the window, M[c] M[c + (a, b)] + M[c + (a, 0)] M[c + (0, b)] at the upper left and
/// the lower right corner, less the same at the two others. Lags on an axis are counted twice.
struct CornerLags {
  int x;      // a to the right of a window's first column
  int far_x;  // a to the left of the column behind its last one
  int y;      // the same of rows
  int far_y;
};

/// In the place of lags that there are not. Taken for a place, its amount is that of a word.
inline constexpr CornerLags kNoLags{-4, 0, 0, 0};

/// Two of them, (a, b) and (b, a), that count for the same, or one and kNoLags. Groups of two come
/// first.
struct LagGroup {
  CornerLags first;
  CornerLags second;
};

/// Groups that are counted before they are weighed: four a quad, and its weights.
struct Piece {
  int first_group;
  int quads;
};
/// The pieces that count for kRadii radii.
struct RadiusRange {
  int first;
  int end;
};

/// Weights are cut into signed bytes, `limbs` of them, the lowest first.
struct BoxPlan {
  int limbs = 4;
  std::vector<RadiusRange> ranges{};
  std::vector<Piece> pieces{};
  std::vector<LagGroup> groups{};
  /// [piece][limb][quad][radius]: of four groups in a word.
  std::vector<std::uint32_t> weights{};
  /// [piece][limb][radius]: counts come with 128 added, and so much must come off again.
  std::vector<std::int32_t> bias{};
};

/// Sums of features are in units of 2^-41 here, twice as fine as the table's: so what is counted
/// twice has a whole number for its weight.
inline constexpr int kWeightScale = 2;

[[nodiscard]] BoxPlan box_plan(const LagTable& table, const CellRow& row);

/// What a pair counts for, radius by radius: for windows that are computed by themselves.
struct WeighedLag {
  std::int32_t dx;
  std::int32_t dy;
  std::int64_t weight;
};
struct LagsByRadius {
  std::vector<std::int32_t> first{};  // of radii 0, 1 .. and behind the last
  std::vector<WeighedLag> lags{};
};
[[nodiscard]] LagsByRadius lags_by_radius(const LagTable& table);

}  // namespace seedwave::gpu::texture
