// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/parallel/context.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace seedwave::border {

/// A cell of a grid whose side of a cut is to be found, with its edges.
///
/// Directions: 0 and 1 are one step up and down the first axis, 2 and 3 the second, 4 and 5 the
/// third.
struct CutCell {
  static constexpr std::int32_t kNone = -1;

  /// The cell in each direction, or kNone.
  std::array<std::int32_t, 6> neighbours{kNone, kNone, kNone, kNone, kNone, kNone};
  /// Capacity of the edge in each direction, not negative; equal seen from both ends.
  std::array<std::int32_t, 6> capacities{};
  /// Capacity of an edge from the source if positive, to the sink if negative.
  std::int32_t terminal = 0;
};

/// Side of a cell in the minimum cuts of a network.
enum class CutSide : std::uint8_t {
  Source,  // on the source's side in every minimum cut
  Sink,    // on the sink's side in every minimum cut
  Either
};

struct MinimumCut {
  /// The capacity of a minimum cut, which is the largest flow.
  std::int64_t capacity = 0;
  std::vector<CutSide> sides;
};

/// Least number of cells of a block.
inline constexpr std::size_t kBlockCells = std::size_t{1} << 15;

/// Finds all minimum cuts of each network by augmenting paths (Boykov and Kolmogorov 2004).
///
/// The cells on the Source side are the smallest source set of a minimum cut, and those not on the
/// Sink side the largest. Both are unique, whatever the order of the paths. So blocks of at least
/// `block` cells, by their numbers, are solved by themselves on all threads, and then joined two by
/// two (Liu and Sun 2010): this is fast if neighbours have near numbers. Memory: about 140 bytes
/// per cell. Throws Cancelled.
[[nodiscard]] std::vector<MinimumCut> minimum_cuts(std::span<const std::vector<CutCell>> networks,
                                                   Context& context,
                                                   std::size_t block = kBlockCells);
[[nodiscard]] MinimumCut minimum_cut(const std::vector<CutCell>& cells, Context& context,
                                     std::size_t block = kBlockCells);

}  // namespace seedwave::border
